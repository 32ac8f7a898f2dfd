import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { expect } from '@jest/globals';
import type { INestApplication, Provider } from '@nestjs/common';
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
import { OutboxProcessor } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { TestBackend } from '../support/backends.js';
import {
  CANARY,
  canary,
  canaryExpressions,
  childRoot,
  KeepingLogger,
  startPartner,
  Vault,
  variables,
  workflowRoot,
} from './canaries.js';
import { Holder, Keeper } from './kept-canaries.js';

const HOUR = 3_600_000;
/** Characters that are shown before a canary. */
const BEFORE = 60;
const ADMIN = `ApiKey ${canary('apikey')}`;
const READS = ['', '/journal', '/variables', '/export?includeBookmarks=true&includeActivityExecutionLog=true'];

/** A host with the API, one workflow that handles secrets, and its partner. */
export class World {
  readonly logger = new KeepingLogger();
  answers: string[] = [];

  private constructor(
    private readonly backend: TestBackend,
    readonly app: INestApplication,
    readonly partner: Awaited<ReturnType<typeof startPartner>>,
    private readonly url: string,
  ) {}

  static async start(
    backend: TestBackend,
    options: WorkflowModuleOptions = {},
    providers: readonly Provider[] = [],
  ): Promise<World> {
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
    const module = await Test.createTestingModule({
      imports: [runtime, api],
      providers: [Vault, Keeper, Holder, ...providers],
    }).compile();
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
        referer: `http://shop/?plain=1&access_token=${canary('referer')}`,
        'x-original-url': `/workflows/in?api_key=${canary('proxied')}`,
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

  /**
   * What each route of the API answers that only reads, by the document that it gives of itself, of the first of each list: a route that
   * is added later is searched as well.
   */
  async everyAnswer(): Promise<string> {
    const { paths } = JSON.parse(await this.ask('/openapi.json')) as { paths: Record<string, { get?: object }> };
    const texts: string[] = [];
    for (const [template, { get }] of Object.entries(paths)) {
      const at = template.slice('/elsa/api'.length);
      // It does not end.
      if (!get || at === '/events/stream') continue;
      for (const path of await this.filled(at, Object.keys(paths))) {
        const response = await fetch(`${this.url}/elsa/api${path}`, { headers: { authorization: ADMIN } });
        texts.push(`${path}: ${response.status} ${await response.text()}`);
      }
    }
    return texts.join('\n');
  }

  /** A path with ids of what there is in the place of its names. */
  private async filled(template: string, known: readonly string[]): Promise<string[]> {
    const before = /^(.*?)\/\{\w+\}/.exec(template)?.[1];
    if (before === undefined) return [template];
    const list = known.includes(`/elsa/api${before}`)
      ? await fetch(`${this.url}/elsa/api${before}`, { headers: { authorization: ADMIN } })
      : undefined;
    const ids = [...((await list?.text()) ?? '').matchAll(/"(?:id|definitionId)":"([^"]+)"/g)].map(
      (found) => found[1]!,
    );
    const some = [...new Set([...ids, ...(await this.instanceIds())])].slice(0, 4);
    return some.map((id) => template.replaceAll(/\{\w+\}/g, encodeURIComponent(id)));
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
        rows.push(`${table.name}: ${readable(await dataSource.query<object[]>(`SELECT * FROM ${table.name}`))}`);
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
const readable = (rows: readonly object[]): string =>
  JSON.stringify(
    rows.map((row) =>
      Object.entries(row).map(([column, value]: [string, unknown]) => [
        column,
        value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
      ]),
    ),
  );

function filesBeside(url: string): string {
  const folder = path.dirname(url.slice('sqlite:'.length));
  return readdirSync(folder)
    .map((file) => readFileSync(path.join(folder, file), 'latin1'))
    .join('\n');
}

/** Each canary in a text, with what stands before it: empty is what we want to see. */
export const canariesIn = (text: string): string[] =>
  // Not by an expression that takes in what stands before: that tries at each character of megabytes.
  [...text.matchAll(new RegExp(`${CANARY}-\\w*`, 'g'))].map(
    ({ 0: found, index }) => text.slice(Math.max(0, index - BEFORE), index) + found,
  );
