import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { WorkflowApiModule } from '@waymark/api';
import {
  IBookmarkResumer,
  IWorkflowDefinitionPublisher,
  WorkflowModule,
  type WorkflowModuleOptions,
  WorkflowPersistence,
} from '@waymark/nestjs';
import { OutboxProcessor } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource, TypeOrmPersistence } from '@waymark/typeorm';
import { type TestBackend, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import {
  CANARY,
  canary,
  canaryExpressions,
  childRoot,
  KeepingLogger,
  seenByVault,
  startPartner,
  Vault,
  variables,
  workflowRoot,
} from './canaries.js';

const HOUR = 3_600_000;
const ADMIN = `ApiKey ${canary('apikey')}`;
const READS = ['', '/journal', '/variables', '/export?includeBookmarks=true&includeActivityExecutionLog=true'];

/** A host with the API, one workflow that handles secrets, and its partner. */
class World {
  readonly logger = new KeepingLogger();
  answers: string[] = [];

  private constructor(
    private readonly backend: TestBackend,
    readonly app: INestApplication,
    readonly partner: Awaited<ReturnType<typeof startPartner>>,
    private readonly url: string,
  ) {}

  static async start(backend: TestBackend, options: WorkflowModuleOptions = {}): Promise<World> {
    const persistence = await backend.create();
    const runtime = WorkflowModule.forRoot({
      persistence,
      clock: new VirtualClock(),
      pollIntervalMs: 24 * HOUR,
      scheduling: { enabled: false },
      expressions: [canaryExpressions],
      ...options,
    });
    const api = WorkflowApiModule.forRoot({
      authentication: {
        users: [{ name: 'ann', password: canary('login') }],
        apiKeys: [canary('apikey')],
        signingKey: `${canary('signing')}-padded-to-32-characters`,
      },
    });
    const module = await Test.createTestingModule({ imports: [runtime, api], providers: [Vault] }).compile();
    const app = module.createNestApplication(new FastifyAdapter());
    const world = new World(backend, app, await startPartner(), '');
    app.useLogger(world.logger);
    await app.listen(0, '127.0.0.1');
    Object.assign(world, { url: await app.getUrl() });
    const publisher = app.get(IWorkflowDefinitionPublisher);
    const { address } = world.partner;
    await publisher.saveAndPublish({ definitionId: 'child', name: 'child', root: childRoot(address) });
    const root = workflowRoot(address);
    const { problems } = await publisher.saveAndPublish({ definitionId: 'main', name: 'main', root, variables });
    expect(problems).toEqual([]);
    return world;
  }

  /** Starts the workflow as a client does, with all the credentials that a client can bring. */
  async begin(): Promise<Response> {
    const query = `?api_key=${canary('query')}&plain=1`;
    const response = await fetch(`${this.url}/workflows/in${query}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${canary('inbound')}`,
        cookie: `theme=dark; session=${canary('cookie')}`,
        'x-api-key': canary('inkey'),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ user: 'ann', password: canary('body') }),
    });
    await this.settled();
    return response;
  }

  async settled(): Promise<void> {
    const outbox = this.app.get(OutboxProcessor);
    do await outbox.settled();
    while ((await outbox.poll()) > 0);
  }

  /** @returns nothing: what the host says is kept to be searched */
  async tryToLogIn(): Promise<void> {
    const attempt = async (password: string) => {
      const body = JSON.stringify({ username: 'ann', password });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${this.url}/elsa/api/identity/login`, { method: 'POST', body, headers });
      this.answers.push(await response.text());
    };
    await attempt(canary('login'));
    await attempt(canary('wrong'));
    expect(this.answers[0]).toContain('accessToken');
  }

  async resume(): Promise<void> {
    const [bookmark] = await this.app.get(WorkflowPersistence).bookmarks.findMany({ names: ['Vault'] });
    await this.app.get(IBookmarkResumer).resumeById(bookmark!.id);
    await this.settled();
  }

  async ask(at: string, init: RequestInit = {}): Promise<string> {
    const headers = { authorization: ADMIN, ...(init.body ? { 'content-type': 'application/json' } : {}) };
    const response = await fetch(`${this.url}/elsa/api${at}`, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${at}: ${response.status} ${text}`);
    return text;
  }

  async instanceIds(): Promise<string[]> {
    const { items } = JSON.parse(await this.ask('/workflow-instances')) as { items: { id: string }[] };
    return items.map(({ id }) => id);
  }

  /** Everything that the API says of the instances. */
  async apiAnswers(): Promise<string> {
    const answers = ['/workflow-instances', '/bookmark-queue/dead-letters', '/outbox/dead-letters'];
    for (const id of await this.instanceIds()) {
      answers.push(...READS.map((read) => `/workflow-instances/${id}${read}`));
      answers.push(`/workflow-instances/${id}/export?includeWorkflowExecutionLog=true`);
      answers.push(`/activity-executions/list?workflowInstanceId=${id}`);
    }
    const texts: string[] = [];
    for (const at of answers) texts.push(`${at}: ${await this.ask(at)}`);
    return [...texts, ...this.answers].join('\n');
  }

  /** Everything that lies in the database: all rows, and on SQLite the bytes of its files, deleted rows included. */
  async stored(): Promise<string> {
    const { name, url, tablePrefix } = this.backend;
    if (url === undefined) return inspect(this.app.get(WorkflowPersistence), { depth: 30, maxArrayLength: null });
    const dataSource = await createWaymarkDataSource(url, { tablePrefix }).initialize();
    try {
      const tables = await dataSource.query<{ name: string }[]>(
        name === 'sqlite'
          ? `SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE '${tablePrefix}%'`
          : `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '${tablePrefix}%'`,
      );
      expect(tables.length).toBeGreaterThan(5);
      const rows: string[] = [];
      for (const table of tables)
        rows.push(`${table.name}: ${readable(await dataSource.query(`SELECT * FROM ${table.name}`))}`);
      return rows.join('\n') + (name === 'sqlite' ? filesBeside(url) : '');
    } finally {
      await dataSource.destroy();
    }
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.partner.close();
  }
}

/** Columns with bytes are shown as the text that they are. */
const readable = (rows: unknown): string =>
  JSON.stringify(rows, (_, value: unknown) => {
    const { type, data } = (value ?? {}) as { type?: unknown; data?: number[] };
    return type === 'Buffer' && data ? Buffer.from(data).toString('latin1') : value;
  });

function filesBeside(url: string): string {
  const folder = path.dirname(url.slice('sqlite:'.length));
  return readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'latin1'))
    .join('\n');
}

/** Each canary in a text, with what stands before it: empty is what we want to see. */
const canariesIn = (text: string): string[] =>
  [...text.matchAll(new RegExp(`.{0,60}${CANARY}-\\w*`, 'gs'))].map(([found]) => found);

describeOn(await testBackends(), 'secrets of a workflow on $name', (backend) => {
  let world: World;

  beforeEach(async () => {
    seenByVault.length = 0;
    world = await World.start(backend);
  });
  afterEach(() => world.close());
  afterAll(() => backend.drop());

  it('reach what is meant to have them, and neither the database nor the log nor an answer of the API', async () => {
    const response = await world.begin();
    expect(await response.text()).toBe(`Bearer ${canary('inbound')}`);
    expect(response.headers.get('set-cookie')).toBe(`session=${canary('setcookie')}`);
    expect(world.partner.requests).toMatchObject([
      {
        url: `/?api_key=${canary('urlkey')}`,
        headers: { 'x-api-key': canary('sentkey'), 'x-plain': 'plain', authorization: `Bearer ${canary('bearer')}` },
      },
      { url: '/later', headers: { 'x-api-key': canary('laterkey') } },
    ]);
    await expectNone(world);

    await world.tryToLogIn();
    await world.resume();
    const secrets = { pin: canary('pin'), password: canary('password') };
    expect(seenByVault).toEqual([secrets, secrets]);
    await expectNone(world);
    expect(world.logger.lines.join('\n')).toContain('The vault does not take (redacted).');
  });
});

async function expectNone(world: World): Promise<void> {
  const stored = await world.stored();
  const answers = await world.apiAnswers();
  expect({
    stored: canariesIn(stored),
    answers: canariesIn(answers),
    log: canariesIn(world.logger.lines.join('\n')),
  }).toEqual({
    stored: [],
    answers: [],
    log: [],
  });
  // What is not secret is there to be found.
  expect([stored, answers].map((text) => text.includes('X-Plain'))).toEqual([true, true]);
}

describe('secrets where redaction is switched off', () => {
  it('are found in the database and in the answers of the API: the search finds what is there', async () => {
    const { available } = await testBackends('sqlite');
    const world = await World.start(available[0]!, { redaction: false });
    try {
      await world.begin();
      const names = ['inbound', 'cookie', 'inkey', 'query', 'urlpassword', 'urlkey', 'sentkey', 'partner', 'setcookie'];
      for (const text of [await world.stored(), await world.apiAnswers()])
        expect(names.filter((name) => !text.includes(canary(name)))).toEqual([]);
    } finally {
      await world.close();
      await available[0]!.drop();
    }
  });
});

describe('credentials of a request', () => {
  it('are there for later bursts where the host says so, and still not shown', async () => {
    const { available } = await testBackends('sqlite');
    const world = await World.start(available[0]!, { redaction: { storeReceived: true } });
    try {
      await world.begin();
      expect(await world.stored()).toContain(`"authorization\\":\\"Bearer ${canary('inbound')}`);
      expect(canariesIn(await world.apiAnswers())).toEqual([]);
    } finally {
      await world.close();
      await available[0]!.drop();
    }
  });

  it('do not come to be their own mark by way of an editor that saves what it was shown', async () => {
    const { available } = await testBackends('memory');
    const world = await World.start(available[0]!);
    try {
      await world.begin();
      const persistence = world.app.get(WorkflowPersistence);
      const [instance] = (await persistence.instances.findMany({ definitionIds: ['main'] })).items;
      const at = `/workflow-instances/${instance!.id}/variables`;
      const { items } = JSON.parse(await world.ask(at)) as { items: { name: string; value: object }[] };
      expect(items.find(({ name }) => name === 'headers')!.value).toMatchObject({ authorization: '(redacted)' });
      await expect(world.ask(at, { method: 'POST', body: JSON.stringify({ variables: items }) })).rejects.toThrow(
        '400',
      );
    } finally {
      await world.close();
      await available[0]!.drop();
    }
  });
});

describe('a database URL', () => {
  const unreachable = (scheme: string) => `${scheme}://waymark:${canary('database')}@127.0.0.1:1/waymark`;

  it.each(['postgres', 'mysql'])('of %s does not show its password when nothing answers', async (scheme) => {
    const persistence = TypeOrmPersistence.fromUrl(unreachable(scheme));
    const error = await persistence.initialize().then(
      () => 'it answered',
      (thrown: unknown) => inspect(thrown, { depth: 10 }),
    );
    expect(error).toContain('WM7');
    expect(canariesIn(error)).toEqual([]);
  });
});
