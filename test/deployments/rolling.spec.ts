import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformSync } from '@swc/core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { WorkflowPersistence } from '@waymark/runtime';
import { testBackends, type TestDatabase } from '../support/backends.js';
import { compiledScript } from '../support/compiled.js';
import { describeThoroughOn } from '../support/describe-on.js';
import { type ForkedNode, forkNode } from '../support/spawn-node.js';
import type { DeploymentCommand, DeploymentSettings } from './application/deployment-node.js';

const SOURCES = path.join(import.meta.dirname, 'application');
const BY_TSC = '../deployments/application/deployment-node.ts';
const BY_SWC = '../deployments-by-swc/deployment-node.ts';
/** By the paths that start them, with what their instances wait for, if they wait for a client. */
const STARTED = [
  { route: 'orders', definition: 'order', goesOn: '/go-on/' },
  { route: 'approvals', definition: 'approval', goesOn: '/go-on/' },
  { route: 'negotiations', definition: 'negotiation', goesOn: '/workflows/offers/' },
  { route: 'deliveries', definition: 'delivery' },
  { route: 'reminders', definition: 'reminder' },
  { route: 'invoices', definition: 'invoice' },
] as const;
/** Rounds of the load that there are at least between two changes of nodes. */
const ROUNDS = 4;
/** From round to round. */
const PAUSE_MS = 50;

/** The release before is built by tsc, with all tests; the next one here. */
function buildBySwc(): void {
  const folder = path.resolve(path.dirname(compiledScript(BY_TSC)), '../../deployments-by-swc');
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(SOURCES)) {
    const { code } = transformSync(readFileSync(path.join(SOURCES, file), 'utf8'), {
      filename: file,
      module: { type: 'es6' },
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
    });
    writeFileSync(path.join(folder, file.replace(/\.ts$/, '.js')), code);
  }
}

interface Effect {
  readonly key: string;
  readonly instance: string;
  readonly definition: string;
  readonly version: number;
  readonly label: string;
}

describeThoroughOn(await testBackends('sqlite', 'mysql', 'postgres'), 'rolling deployments, on $name', (backend) => {
  const database = backend as TestDatabase;
  let folder: string;
  let ledger: string;
  let persistence: WorkflowPersistence;
  const nodes = new Set<Node>();
  /** Those that a load balancer knows. */
  let ready: Node[] = [];
  let requests = 0;
  /** Requests that failed, and how often each other status was answered. */
  let answers: string[];
  let statuses: Map<number, number>;

  /** A process of a release. */
  class Node {
    private readonly underWay = new Set<Promise<Response>>();

    private constructor(
      private readonly process: ForkedNode<DeploymentCommand>,
      readonly url: string,
    ) {}

    static async start(release: 1 | 2, order: number): Promise<Node> {
      const settings: DeploymentSettings = { url: database.url, tablePrefix: database.tablePrefix, release, order };
      const forked = await forkNode<DeploymentCommand>(release === 1 ? BY_TSC : BY_SWC, settings);
      const node = new Node(forked, await forked.ask<string>({ do: 'url' }));
      nodes.add(node);
      ready.push(node);
      return node;
    }

    async fetch(route: string, init: RequestInit): Promise<Response> {
      const fetching = fetch(this.url + route, init);
      this.underWay.add(fetching);
      try {
        return await fetching;
      } finally {
        this.underWay.delete(fetching);
      }
    }

    /** Out of the load balancer first, which awaits the answers to what it has sent there. Others go to the other nodes. */
    async stop(): Promise<void> {
      ready = ready.filter((node) => node !== this);
      await Promise.allSettled(this.underWay);
      await this.process.ask({ do: 'close' });
      await this.kill();
    }

    async kill(): Promise<void> {
      nodes.delete(this);
      await this.process.kill();
    }
  }

  async function post(route: string, body?: unknown): Promise<void> {
    const node = ready[requests++ % ready.length]!;
    const response = await node.fetch(route, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body ?? {}),
    });
    const text = await response.text();
    if (response.ok) statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    else answers.push(`${route}: ${response.status} ${text}`);
  }

  let ids = 0;

  /** Clients that start instances on any node, and have half of those that wait continue, from its making to its end. */
  class Load {
    /** Instances of each workflow. */
    rounds = 0;
    /** Routes by which the others continue. */
    readonly held: string[] = [];
    private isOver = false;
    private readonly running = this.run();
    private readonly waiting = new Map<() => void, number>();

    constructor() {
      // It is told to who waits for rounds, or for the end.
      this.running.catch(() => undefined);
    }

    /** Resolves when so many have begun and ended since. */
    async more(count: number): Promise<void> {
      const ended = new Promise<void>((resolve) => this.waiting.set(resolve, this.rounds + 1 + count));
      await Promise.race([ended, this.running]);
    }

    end(): Promise<void> {
      this.isOver = true;
      return this.running;
    }

    private async run(): Promise<void> {
      while (!this.isOver) {
        await this.round(this.rounds % 2 === 0);
        this.rounds++;
        for (const [resolve, rounds] of this.waiting) if (rounds <= this.rounds) resolve();
        await sleep(PAUSE_MS);
      }
    }

    private async round(goesOn: boolean): Promise<void> {
      const begun = STARTED.map((started) => ({ ...started, id: `i${++ids}` }));
      await Promise.all(begun.map(({ route, id }) => post(`/workflows/${route}`, { id })));
      const waiting = begun.flatMap((each) => ('goesOn' in each ? each.goesOn + each.id : []));
      if (goesOn) await Promise.all(waiting.map((route) => post(route)));
      else this.held.push(...waiting);
    }
  }

  function effects(): Effect[] {
    return readFileSync(ledger, 'utf8')
      .trim()
      .split('\n')
      .map((line) => {
        const [key, instance, definition, version, label] = line.split('\t');
        return { key: key!, instance: instance!, definition: definition!, version: Number(version), label: label! };
      });
  }

  beforeAll(buildBySwc);

  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'waymark-deployments-'));
    ledger = path.join(folder, 'ledger');
    answers = [];
    statuses = new Map();
    ready = [];
    writeFileSync(ledger, '');
    process.env.LEDGER = ledger;
    persistence = await database.create();
    await persistence.initialize();
  });

  afterEach(async () => {
    await Promise.all([...nodes].map((node) => node.kill()));
    await persistence.close();
    delete process.env.LEDGER;
    rmSync(folder, { recursive: true, force: true });
  });

  afterAll(() => database.drop());

  const published = async (definitionId: string) =>
    (await persistence.definitions.find({ definitionId, versionOptions: 'Published' }))?.version;

  it('rolling deployments roll forward, back and forward again under load, with a restart of the old release in between, without faults', async () => {
    const before = await Node.start(1, 1);
    const load = new Load();
    await load.more(ROUNDS);
    const next = await Node.start(2, 2);
    expect(await published('approval')).toBe(2);
    await load.more(ROUNDS);
    // It is restarted, by an operator or for want of memory.
    await before.stop();
    const restarted = await Node.start(1, 1);
    expect(await published('approval')).toBe(2);
    await load.more(ROUNDS);
    // The release before comes back on both.
    const back = await Node.start(1, 3);
    expect(await published('approval')).toBe(1);
    await Promise.all([next.stop(), restarted.stop()]);
    await load.more(ROUNDS);
    const forward = await Node.start(2, 4);
    expect(await published('approval')).toBe(2);
    await load.more(ROUNDS);
    await load.end();
    await Promise.all(load.held.map((route) => post(route)));
    const definitionIds = [...STARTED.map(({ definition }) => definition), 'shipment', 'receipt'];
    const running = () => persistence.instances.count({ definitionIds, statuses: ['Running'] });
    while ((await running()) > 0) await sleep(50);
    await Promise.all([back.stop(), forward.stop()]);

    expect(answers).toEqual([]);
    // Of requests that others went on with.
    expect(statuses.get(202)).toBeGreaterThan(0);
    const { items } = await persistence.instances.findMany({});
    const ended = Object.fromEntries(
      definitionIds.map((id) => [id, items.filter((i) => i.definitionId === id && i.subStatus === 'Finished').length]),
    );
    expect(ended).toEqual(Object.fromEntries(definitionIds.map((id) => [id, load.rounds])));
    expect(items.filter((i) => i.subStatus === 'Faulted' || i.incidentCount > 0)).toEqual([]);
    expect(await persistence.outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });

    const all = effects();
    // Each once.
    expect(all).toHaveLength(new Set(all.map(({ key }) => key)).size);
    const versionOf = new Map(items.map(({ id, version }) => [id, version]));
    expect(all.filter(({ instance, version }) => versionOf.get(instance) !== version)).toEqual([]);
    // Each by the code of its version, of which there were two.
    for (const definition of ['approval', 'negotiation', 'shipment', 'reminder']) {
      const last = all.filter((e) => e.definition === definition && e.label.includes('of release'));
      expect(last).toHaveLength(load.rounds);
      expect(last.filter(({ label, version }) => label !== `${definition} of release ${version}`)).toEqual([]);
      expect(new Set(last.map(({ version }) => version))).toEqual(new Set([1, 2]));
    }
    expect(all.filter(({ label }) => label === 'delivered')).toHaveLength(load.rounds);
    expect(all.filter(({ label }) => label === 'order 1')).toHaveLength(load.rounds);
    const beats = items.filter((i) => i.definitionId === 'heartbeat');
    expect(all.filter(({ label }) => label === 'beat')).toHaveLength(beats.length);
  }, 120_000);
});
