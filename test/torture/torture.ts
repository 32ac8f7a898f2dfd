import { exec } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { WorkflowPersistence } from '@waymark/runtime';
import type { TestDatabase } from '../support/backends.js';
import { Audit, type Findings } from './audit.js';
import { Clients } from './clients.js';
import { Cluster } from './cluster.js';
import { FaultDriver } from './fault-driver.js';
import { Random } from './random.js';

export interface TortureOptions {
  readonly seed: number;
  readonly seconds: number;
  /** @default 3 */
  readonly nodes?: number;
  /** Clients that work at the same time. @default 12 */
  readonly clients?: number;
  /** Mean pause between two kills, in milliseconds. @default 3000 */
  readonly killEveryMs?: number;
  /** Mean pause between two cuts of a connection, in milliseconds. @default 700 */
  readonly cutEveryMs?: number;
  /** Mean pause between two partial faults of the way to the database, in milliseconds. @default 2000 */
  readonly faultEveryMs?: number;
  /** Mean pause between two steps of a node's clock, in milliseconds. @default 5000 */
  readonly stepEveryMs?: number;
  /** Mean pause between two suspensions of a process, in milliseconds. @default never */
  readonly suspendEveryMs?: number | undefined;
  /** A command of the shell that disturbs the server itself, for example restarts it. @default none */
  readonly disturb?: string | undefined;
  /** Mean pause between two of these commands, in milliseconds; one ends before the next begins. @default 10_000 */
  readonly disturbEveryMs?: number;
  /** Mean pause between two failovers of the server, in milliseconds. @default never */
  readonly failOverEveryMs?: number | undefined;
  /** How long it refuses writes then, in milliseconds. @default 20_000 */
  readonly failOverMs?: number;
  /** The longest of these faults, in milliseconds. @default 12_000: shorter than the patience of a client, longer than the deadline of a statement */
  readonly longestFaultMs?: number;
  /** Root of another build of this repository, for every second node. @default all of them run this one */
  readonly otherBuild?: string | undefined;
}

export interface TortureReport {
  readonly findings: Findings;
  /** What was done and proved, e.g. `{ kills: 12, order: 80, … }`. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Longer than a lease: what a killed node held must have been taken over. */
const REST_MS = 120_000;
const LOOK_MS = 500;
const shell = promisify(exec);

/** Runs the mix of work on several nodes while they are killed, cut off and ailing, and then has everything audited. */
export async function torture(backend: TestDatabase, options: TortureOptions): Promise<TortureReport> {
  const { seed, seconds, nodes = 3, clients: clientCount = 12, killEveryMs = 3000, cutEveryMs = 700 } = options;
  const { disturb, disturbEveryMs = 10_000, failOverEveryMs = Infinity, failOverMs = 20_000 } = options;
  const { faultEveryMs = 2000, stepEveryMs = 5000, suspendEveryMs = Infinity, longestFaultMs = 12_000 } = options;
  const folder = mkdtempSync(path.join(tmpdir(), 'waymark-torture-'));
  const ledger = path.join(folder, 'ledger');
  await writeFile(ledger, '');
  const store = await backend.create();
  await store.initialize();
  const random = new Random(seed);
  const { url, tablePrefix, name } = backend;
  const cluster = new Cluster({ url, tablePrefix, ledger }, name !== 'sqlite', random, options.otherBuild);
  const faults = new FaultDriver(cluster, random, longestFaultMs);
  let cuts = 0;
  let disturbances = 0;
  try {
    await cluster.start(nodes);
    const end = performance.now() + seconds * 1000;
    const clients = new Clients(cluster, random, end + REST_MS);
    await clients.persist({ do: 'deploy' });
    const until = async (meanMs: number, act: () => Promise<unknown>): Promise<void> => {
      while (Number.isFinite(meanMs)) {
        await pause(Math.min(random.between(0, 2 * meanMs), end - performance.now() + 1));
        if (performance.now() > end) return;
        await act();
      }
    };
    await Promise.all([
      ...Array.from({ length: clientCount }, () => until(50, () => clients.act())),
      until(killEveryMs, () => cluster.killOne()),
      until(cutEveryMs, async () => void (cluster.cutOne() && cuts++)),
      until(faultEveryMs, () => faults.ail()),
      until(failOverEveryMs, () => faults.failOver(failOverMs)),
      until(stepEveryMs, () => faults.stepClock()),
      until(suspendEveryMs, () => faults.suspend()),
      until(disturb === undefined ? Infinity : disturbEveryMs, async () => {
        disturbances++;
        await shell(disturb!);
      }),
    ]);
    await clients.persist({ do: 'retract', definitionId: 'tick' });
    const endedAt = performance.now();
    const stranded = await rest(store);
    const restedMs = Math.round(performance.now() - endedAt);
    const { kills, failedStarts, ends } = cluster;
    const audit = new Audit(store, clients.promises, ledger);
    const findings = [...clients.promises.unanswered, ...stranded, ...(await audit.run()), ...ends];
    const counts = { kills, failedStarts, cuts, disturbances, restedMs };
    return { findings, figures: { ...counts, ...faults.figures, ...audit.figures } };
  } finally {
    await cluster.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Until nothing runs and nothing waits; what does not come to rest is a finding. */
async function rest(store: WorkflowPersistence): Promise<Findings> {
  const end = performance.now() + REST_MS;
  for (;;) {
    const running = await store.instances.count({ statuses: ['Running'] });
    const { waiting } = await store.outbox.count();
    if (running + waiting === 0) return [];
    if (performance.now() > end) return [`W8: ${running} instances and ${waiting} messages do not come to rest`];
    await pause(LOOK_MS);
  }
}
