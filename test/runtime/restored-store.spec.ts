import { afterAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { EventEmitter2 } from '@nestjs/event-emitter';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher, WorkflowEvent, type WorkflowPersistence } from '@waymark/runtime';
import { StoreFollower } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import type { DataSource } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, sequence } from '../support/runtime-node.js';
import { inspect } from '../support/schema.js';

// Yesterday's backup is brought back while nodes run. The documents say to stop them first; those that were not stopped must at least work
// with what is there now: a node that serves what is gone starts instances of workflows that no other node has.

const endpoint = (id: string, path: string, canStartWorkflow: boolean): ActivityJson => ({
  type: 'Elsa.HttpEndpoint',
  id,
  path: literal(path),
  customProperties: { canStartWorkflow },
});
const respond = (id: string, content: string): ActivityJson => ({
  type: 'Elsa.WriteHttpResponse',
  id,
  content: literal(content, 'Object'),
});

async function startNode(persistence: WorkflowPersistence) {
  const clock = new VirtualClock();
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkflowModule.forRoot({ persistence, clock, writeLine: () => undefined }),
    new FastifyAdapter(),
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    clock,
    async get(path: string) {
      const response = await fetch(`${url}/workflows/${path}`);
      return `${response.status} ${await response.text()}`;
    },
    async publish(definitionId: string, at = definitionId) {
      const root = sequence(
        'Root',
        endpoint('In', `${at}/start`, true),
        respond('Started', 'waiting'),
        endpoint('Wait', `waits/{id}`, false),
        respond('Out', 'ended'),
      );
      const { problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId, root });
      if (problems.length) throw new Error(problems.map((p) => p.message).join('; '));
    },
  };
}

type Rows = Map<string, Record<string, unknown>[]>;

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'a store that is restored: $name', (backend) => {
  afterAll(() => backend.drop());

  const TABLES = [
    'definitions',
    'triggers',
    'definition_changes',
    'instances',
    'bookmarks',
    'patterns',
    'counters',
  ].map((name) => `${backend.tablePrefix}${name}`);
  const backup = (): Promise<Rows> =>
    inspect(backend, async (dataSource: DataSource) => {
      const rows: Rows = new Map();
      for (const table of TABLES) rows.set(table, await dataSource.query(`SELECT * FROM ${table}`));
      return rows;
    });
  const restore = (rows: Rows): Promise<void> =>
    inspect(backend, async (dataSource: DataSource) => {
      const { type } = dataSource.options;
      for (const [table, all] of rows) {
        await dataSource.query(`DELETE FROM ${table}`);
        for (const row of all) {
          const columns = Object.keys(row);
          const places = columns.map((_, n) => (type === 'postgres' ? `$${n + 1}` : '?'));
          const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`;
          await dataSource.query(sql, Object.values(row));
        }
      }
    });

  it('W6: nodes that run serve what it has now, and nothing that is gone', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const here = await startNode(await backend.create());
    const there = await startNode(await backend.create());
    await there.publish('kept');
    await here.clock.advance(1000);
    const rows = await backup();
    await there.publish('lost');
    expect(await there.get('lost/start')).toBe('200 waiting');
    for (const { clock } of [here, there]) await clock.advance(1000);
    expect(await here.get('waits/1')).toBe('200 ended');

    // One table after the other, as tools do it: nodes see that it began before the triggers are there.
    const triggers = `${backend.tablePrefix}triggers`;
    await restore(new Map([...rows, [triggers, []]]));
    for (const { clock } of [here, there]) await clock.advance(1000);
    for (const node of [here, there]) expect(await node.get('kept/start')).toMatch(/^404 .*WM5007/);
    await restore(new Map([[triggers, rows.get(triggers)!]]));
    for (const { clock } of [here, there]) await clock.advance(60_000);
    for (const node of [here, there]) expect(await node.get('lost/start')).toMatch(/^404 .*WM5007/);

    const said = warnings.mock.calls
      .map(([text]) => String(text))
      .filter((text) => text.includes('gone back to an earlier state'));
    expect(said).toHaveLength(2);

    // The path at which it waits was known to both; it has to be announced anew.
    expect(await there.get('kept/start')).toBe('200 waiting');
    const started = await startNode(await backend.create());
    expect(await started.get('waits/1')).toBe('200 ended');
    for (const { app } of [here, there, started]) await app.close();
    warnings.mockRestore();
    // Three nodes, and a connection for each table that is restored.
  }, 120_000);

  it('W6: a single answer from before, as of a replica that lags behind, has no node read anything again', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const store = await backend.create();
    const node = await startNode(store);
    await node.publish('replicated');
    await node.clock.advance(1000);
    const changes: unknown[] = [];
    node.app.get(EventEmitter2).on(WorkflowEvent.DefinitionsChanged, (event) => changes.push(event));
    const findChanges = store.definitions.findChanges.bind(store.definitions);
    const late = jest.spyOn(store.definitions, 'findChanges').mockImplementation(async (since) => {
      const { position } = await findChanges(since);
      return { position: { ...position, counter: position.counter - 1 }, definitionIds: undefined };
    });
    await node.app.get(StoreFollower).follow();
    late.mockRestore();
    for (let n = 0; n < 3; n++) await node.app.get(StoreFollower).follow();
    expect(changes).toEqual([]);
    expect(warnings.mock.calls.filter(([text]) => String(text).includes('earlier state'))).toEqual([]);
    expect(await node.get('replicated/start')).toBe('200 waiting');
    await node.app.close();
    warnings.mockRestore();
  });
});
