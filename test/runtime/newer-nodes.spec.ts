import { afterAll, expect, it } from '@jest/globals';
import { NewerFormatError } from '@waymark/core';
import { deserialize, serialize } from '@waymark/core/adapter';
import {
  IBookmarkResumer,
  IWorkflowRuntime,
  UnreadableWork,
  WorkflowPersistence,
  AlterationPlans,
} from '@waymark/runtime';
import { type LoadedInstance, OutboxProcessor, resolveRuntimeOptions } from '@waymark/runtime/adapter';
import { VirtualClock } from '@waymark/testing';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

const TRIES = resolveRuntimeOptions().maxDeliveryAttempts + 2;

/** As a node of this version sees what a newer one has stored: with a format of states that it does not know. */
function seenByOlder(store: WorkflowPersistence): WorkflowPersistence {
  const load = async (id: string): Promise<LoadedInstance | undefined> => {
    const loaded = await store.instances.load(id);
    return loaded && { ...loaded, state: { ...loaded.state, formatVersion: 99 } };
  };
  const instances = Object.create(store.instances, { load: { value: load } }) as WorkflowPersistence['instances'];
  return Object.create(store, { instances: { value: instances } }) as WorkflowPersistence;
}

describeOn(await testBackends(...EVERY_STORE), 'beside a newer node, on $name', (backend) => {
  afterAll(() => backend.drop());

  async function withNodes(body: (older: RuntimeNode, newer: RuntimeNode, clock: VirtualClock) => Promise<void>) {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const newer = await startNode(await backend.create(), { clock });
    const older = await startNode(seenByOlder(await backend.create()), { clock });
    try {
      await body(older, newer, clock);
    } finally {
      await older.close();
      await newer.close();
    }
  }
  /** As often as would make a dead letter of it, if that was counted. */
  async function tryOften(node: RuntimeNode, clock: VirtualClock): Promise<void> {
    for (let n = 0; n < TRIES; n++) {
      await node.get(OutboxProcessor).poll();
      await node.get(OutboxProcessor).settled();
      await clock.advance(60_000);
    }
  }

  it('an instance in a form that it cannot read is left alone, without a fault and without counting', async () => {
    await withNodes(async (older, newer, clock) => {
      await newer.deploy('newer', sequence('S', waitFor('E', 'go'), line('L', 'on')));
      const { workflowInstanceId: id, bookmarks } = await (
        await newer.get(IWorkflowRuntime).createClient()
      ).createAndRunInstance({ definition: 'newer' });
      const before = await newer.get(WorkflowPersistence).instances.load(id);
      const resumed = older.get(IBookmarkResumer).resumeById(bookmarks[0]!.id);
      await expect(resumed).rejects.toMatchObject({ code: 'WM2053' });
      const { outbox } = older.get(WorkflowPersistence);
      const at = new Date(clock.now());
      const message = { id: `run of ${id}`, kind: 'run', payload: { workflowInstanceId: id }, createdAt: at };
      await outbox.add([{ ...message, workflowInstanceId: id, availableAt: at, attempts: 0 }]);
      expect(older.get(UnreadableWork).isAlarming).toBe(false);
      await tryOften(older, clock);
      expect(older.get(UnreadableWork).isAlarming).toBe(true);
      expect(await outbox.count()).toEqual({ waiting: 1, deadLetters: 0 });
      expect(await newer.get(WorkflowPersistence).instances.load(id)).toEqual(before);
      await newer.get(IBookmarkResumer).resumeById(bookmarks[0]!.id);
      await newer.settled();
      expect([newer.lines, await outbox.count()]).toEqual([['on'], { waiting: 0, deadLetters: 0 }]);
    });
  });

  it('an alteration of such an instance is done by the newer node', async () => {
    await withNodes(async (older, newer, clock) => {
      await newer.deploy('altered', sequence('S', waitFor('E', 'go'), line('L', 'on')));
      const client = await newer.get(IWorkflowRuntime).createClient();
      const { workflowInstanceId: id } = await client.createAndRunInstance({ definition: 'altered' });
      const alterations = [{ type: 'SkipActivity', activityId: 'E' }] as const;
      const plans = older.get(AlterationPlans);
      const planId = await plans.submit({ alterations, filter: { workflowInstanceIds: [id] } });
      await tryOften(older, clock);
      expect((await plans.find(planId!))?.jobs.map(({ status }) => status)).not.toContain('Failed');
      await newer.settled();
      expect((await plans.find(planId!))?.jobs.map(({ status }) => status)).toEqual(['Completed']);
    });
  });

  it('a kind of message that it does not know waits for a node that does', async () => {
    await withNodes(async (older, newer, clock) => {
      const served: string[] = [];
      newer.get(OutboxProcessor).register({
        kind: 'of-tomorrow',
        handle: async ({ id }) => {
          served.push(id);
          await newer.get(WorkflowPersistence).outbox.delete(id);
        },
      });
      const { outbox } = older.get(WorkflowPersistence);
      const at = new Date(clock.now());
      const availableAt = at;
      await outbox.add([{ id: 'tomorrow', kind: 'of-tomorrow', payload: {}, createdAt: at, availableAt, attempts: 0 }]);
      await tryOften(older, clock);
      expect([served, await outbox.count()]).toEqual([[], { waiting: 1, deadLetters: 0 }]);
      await newer.settled();
      expect([served, await outbox.count()]).toEqual([['tomorrow'], { waiting: 0, deadLetters: 0 }]);
    });
  });

  it('a message of a newer node does not come back to the older node whenever it looks, before the newer node does', async () => {
    await withNodes(async (older, newer, clock) => {
      const { outbox } = older.get(WorkflowPersistence);
      const handle = ({ id }: { id: string }) =>
        newer
          .get(WorkflowPersistence)
          .outbox.delete(id)
          .then(() => undefined);
      newer.get(OutboxProcessor).register({ kind: 'of-tomorrow', handle });
      const at = new Date(clock.now());
      await outbox.add([
        { id: 'early', kind: 'of-tomorrow', payload: {}, createdAt: at, availableAt: at, attempts: 0 },
      ]);
      // Each looks once a second, always in the same order.
      for (let second = 0; second < 300 && (await outbox.count()).waiting > 0; second++)
        for (const node of [older, newer]) {
          await node.get(OutboxProcessor).poll();
          await node.get(OutboxProcessor).settled();
          await clock.advance(500);
        }
      expect(await outbox.count()).toEqual({ waiting: 0, deadLetters: 0 });
    });
  });

  it('a kind of value that it does not know is recognised as such', () => {
    const text = serialize({ at: new Date(0) }).replace('"Date"', '["custom","of-tomorrow"]');
    expect(() => deserialize(text)).toThrow(NewerFormatError);
  });
});

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'messages of a newer node on $name', (backend) => {
  afterAll(() => backend.drop());

  it('messages of a newer node that it cannot read wait, and keep no others waiting', async () => {
    const clock = new VirtualClock('2026-03-01T00:00:00Z');
    const node = await startNode(await backend.create(), { clock });
    const rows = await createWaymarkDataSource(backend.url, { tablePrefix: backend.tablePrefix }).initialize();
    try {
      const served: string[] = [];
      const { outbox } = node.get(WorkflowPersistence);
      const handle = async ({ id }: { id: string }) => {
        served.push(id);
        await outbox.delete(id);
      };
      node.get(OutboxProcessor).register({ kind: 'of-today', handle });
      const at = new Date(clock.now());
      const message = { kind: 'of-today', createdAt: at, availableAt: at, attempts: 0 };
      await outbox.add([
        { ...message, id: 'tomorrow', payload: { at } },
        { ...message, id: 'today', payload: {} },
      ]);
      const sql = `UPDATE ${backend.tablePrefix}outbox SET data = REPLACE(data, '"Date"', '["custom","of-tomorrow"]')`;
      await rows.query(sql);
      for (let n = 0; n < TRIES; n++) {
        await node.get(OutboxProcessor).poll();
        await node.get(OutboxProcessor).settled();
        await clock.advance(60_000);
      }
      expect([served, await outbox.count()]).toEqual([['today'], { waiting: 1, deadLetters: 0 }]);
      expect(node.get(UnreadableWork).isAlarming).toBe(true);
    } finally {
      await rows.destroy();
      await node.close();
    }
  });
});
