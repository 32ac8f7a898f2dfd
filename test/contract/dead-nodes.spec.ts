import { afterAll, expect, it } from '@jest/globals';
import type { NodeOfProcess, RuntimeNode } from '@waymark/runtime/adapter';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const T0 = new Date('2026-03-01T10:00:00Z');
const node: RuntimeNode & NodeOfProcess = {
  name: 'fixed',
  version: '0.1.0',
  platform: 'v22.0.0',
  startedAt: T0,
  seenAt: T0,
  state: 'Running',
  activeBursts: 0,
  process: { machine: 'boot', id: '17 4711' },
};
const claimed = (id: string) => ({ id, kind: 'test', payload: null, createdAt: T0, availableAt: T0, attempts: 0 });

describeOn(await testBackends('sqlite', 'mysql', 'postgres'), 'a node of the version before on $name', (backend) => {
  afterAll(() => backend.drop());

  it('keeps its claims when it has the name of a process that has ended, whose row it has replaced', async () => {
    const store = await backend.create();
    await store.initialize();
    await store.nodes.announce(node);
    expect(await store.nodes.findOn('boot', 10)).toHaveLength(1);
    await store.outbox.add([claimed('m')]);
    await store.outbox.renew(['m'], { owner: node.name, leaseMs: 30_000, now: T0 });
    const older = await createWaymarkDataSource(backend.url!).initialize();
    // It leaves the columns alone that it does not know.
    await older.query(
      `UPDATE ${backend.tablePrefix}nodes SET version = '0.0.9', started_at = ${T0.getTime() + 1}, seen_at = ${T0.getTime() + 1} WHERE name = 'fixed'`,
    );
    await older.destroy();
    expect(await store.nodes.findOn('boot', 10)).toEqual([]);
    expect((await store.nodes.list(10)).map(({ process }) => process)).toEqual([undefined]);
    expect(await store.nodes.endClaims(node, { now: T0 })).toBeUndefined();
    await store.close();
  });
});

describeOn(
  await testBackends('mysql', 'postgres'),
  'claims of a dead node that are being committed: $name',
  (backend) => {
    afterAll(() => backend.drop());

    it('claims of a dead node that are being committed are left to their transaction, without waiting for it, and ended by the next look', async () => {
      const store = await backend.create();
      await store.initialize();
      await store.nodes.announce(node);
      await store.outbox.add([claimed('locked'), claimed('free')]);
      await store.outbox.renew(['locked', 'free'], { owner: node.name, leaseMs: 30_000, now: T0 });
      const admin = await createWaymarkDataSource(backend.url!).initialize();
      const other = admin.createQueryRunner();
      await other.startTransaction();
      await other.query(`SELECT id FROM ${backend.tablePrefix}outbox WHERE id = 'locked' FOR UPDATE`);
      // Answered although the lock is still held: the other transaction ends only now.
      expect(await store.nodes.endClaims(node, { now: T0 })).toEqual({ ended: 1, isComplete: false });
      await other.rollbackTransaction();
      expect(await store.nodes.endClaims(node, { now: T0 })).toEqual({ ended: 1, isComplete: true });
      await other.release();
      await admin.destroy();
      await store.close();
    });
  },
);
