import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import type { WorkflowDefinition, WorkflowExecutionLogEntry } from '@waymark/core';

import type { WorkflowPersistence } from '@waymark/runtime';
import type { BookmarkQueueItem, OutboxMessage } from '@waymark/runtime/adapter';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { DataSource } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

// What the server does not take in one packet is refused before it is sent: half a packet would cost the connection.

const backends = await testBackends('mysql');

const MOST = 256 * 1024 * 1024;
const AT = new Date('2026-03-01T10:20:30.123Z');

let counter = 0;
const anInstance = () => anInstanceOf(`instance-${++counter}`);

const aMessage = (payload: unknown): OutboxMessage => ({
  ...{ id: `message-${++counter}`, kind: 'test', payload, createdAt: AT, availableAt: AT, attempts: 0 },
});

const anItem = (input: Record<string, unknown>): BookmarkQueueItem => ({
  ...{ id: `item-${++counter}`, stimulusHash: 'hash', input, createdAt: AT, expiresAt: AT, attempts: 0 },
});

const aLogEntry = (sequence: number, payload: Record<string, unknown> = {}): WorkflowExecutionLogEntry => ({
  ...{ sequence, activityInstanceId: 'a', activityId: 'A', activityType: 'Test', activityTypeVersion: 1 },
  ...{ activityNodeId: 'A', timestamp: AT, eventName: 'Completed', payload },
});

const aDefinition = (customProperties: Record<string, unknown>): WorkflowDefinition => ({
  ...{ id: 'd:1', definitionId: 'd', version: 1, name: 'd', createdAt: AT, isLatest: true, isPublished: true },
  ...{ isReadonly: false, isSystem: false, materializerName: 'Json', variables: [], inputs: [], outputs: [] },
  ...{ outcomes: [], customProperties, options: {}, root: { type: 'Elsa.Flowchart' } },
});

describeOn(backends, 'packets of the server: $name', (backend) => {
  let own: WorkflowPersistence;
  let theirs: DataSource;
  let shared: WorkflowPersistence;
  let beyond: string;

  beforeAll(async () => {
    own = await backend.create({ maxStateBytes: MOST });
    await own.initialize();
    theirs = await new DataSource({ type: 'mysql', url: backend.url }).initialize();
    shared = TypeOrmPersistence.fromDataSource(theirs, { tablePrefix: backend.tablePrefix, maxStateBytes: MOST });
    await shared.initialize();
    const [row] = (await theirs.query('SELECT @@max_allowed_packet AS bytes')) as { bytes: number }[];
    beyond = 'x'.repeat(Math.min(Number(row!.bytes), MOST / 2));
  });

  afterAll(async () => {
    await own.close();
    await shared.close();
    await theirs.destroy();
    await backend.drop();
  });

  let warned: ReturnType<typeof jest.spyOn>;
  beforeEach(() => {
    warned = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  });
  afterEach(() => {
    // mysql2 writes there what it does not understand, such as the answer to half a packet.
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  const refused = { code: 'WM7017', message: expect.stringContaining('max_allowed_packet') };

  it.each(['own', 'shared'] as const)('%s pool: a burst that is too large anywhere is refused', async (pool) => {
    const store = { own, shared }[pool];
    const instance = anInstance();
    const withState = anInstance();
    withState.state.output = { beyond };
    for (const burst of [
      aBurstOf(withState),
      aBurstOf(withState, { atAnySize: true }),
      aBurstOf(instance, { outbox: [aMessage(beyond)] }),
      aBurstOf(instance, { journal: { log: [aLogEntry(1), aLogEntry(2, { beyond })], records: [] } }),
      aBurstOf(instance, { queue: [anItem({ beyond })] }),
    ])
      await expect(store.commit(burst)).rejects.toMatchObject(refused);
    expect(await store.instances.findIds({ ids: [instance.id, withState.id] })).toEqual([]);
    await store.commit(aBurstOf(instance));
  });

  it.each(['own', 'shared'] as const)('%s pool: so are messages, queue items and definitions', async (pool) => {
    const store = { own, shared }[pool];
    const definition = aDefinition({ beyond });
    const saved = [{ definition, expectedRevision: undefined }];
    const change = { saved, deletedIds: [], addedTriggers: [], removedTriggerIds: [] };
    await expect(store.outbox.add([aMessage(beyond)])).rejects.toMatchObject(refused);
    await expect(store.queue.enqueue(anItem({ beyond }))).rejects.toMatchObject(refused);
    await expect(store.definitions.apply(change)).rejects.toMatchObject(refused);
    await expect(store.journal.append('none', { log: [aLogEntry(1, { beyond })], records: [] })).rejects.toMatchObject(
      refused,
    );
  });

  it.each(['own', 'shared'] as const)('%s pool: a state that just fits leaves room for an incident', async (pool) => {
    const store = { own, shared }[pool];
    const instance = anInstance();
    const error: unknown = await (async () => {
      instance.state.output = { beyond };
      return store.commit(aBurstOf(instance)).catch((caught: unknown) => caught);
    })();
    const { maxBytes } = error as { maxBytes: number };
    instance.state.output = { text: '"'.repeat(1000) + 'x'.repeat(maxBytes - 6_000) };
    await store.commit(aBurstOf(instance));
    instance.state.properties = { incident: 'x'.repeat(50_000) };
    await expect(store.commit(aBurstOf(instance, { expectedRevision: 1 }))).rejects.toMatchObject(refused);
    await store.commit(aBurstOf(instance, { expectedRevision: 1, atAnySize: true }));
    expect(await store.instances.load(instance.id)).toMatchObject({ revision: 2 });
    await store.instances.delete([instance.id]);
  });
});
