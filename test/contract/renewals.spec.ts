import { afterAll, expect, it } from '@jest/globals';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

describeOn(await testBackends('mysql', 'postgres'), 'claims that are renewed: $name', (backend) => {
  afterAll(() => backend.drop());

  it('do not wait for a row that another transaction has locked, and keep its claim', async () => {
    const store = await backend.create();
    await store.initialize();
    const at = new Date(Date.now() + 5000);
    const messages = ['locked', 'free'].map((id) => ({
      id,
      kind: 'test',
      payload: null,
      createdAt: at,
      availableAt: at,
      attempts: 0,
    }));
    await store.outbox.add(messages);
    const admin = await createWaymarkDataSource(backend.url ?? '').initialize();
    const other = admin.createQueryRunner();
    await other.startTransaction();
    await other.query(`SELECT id FROM ${backend.tablePrefix}outbox WHERE id = 'locked' FOR UPDATE`);
    const lease = { owner: 'node-a', leaseMs: 30_000 };
    const kept = await store.outbox.renew(['locked', 'free'], lease);
    expect(kept.sort()).toEqual(['free', 'locked']);
    // Rows that are not locked are free again. All of it is done while the lock is still held: the other transaction ends only now.
    expect(await store.outbox.delete('free')).toBe(true);
    await other.rollbackTransaction();
    await other.release();
    expect(await store.outbox.renew(['locked', 'free'], lease)).toEqual(['locked']);
    await admin.destroy();
    await store.close();
  });

  it('of bookmarks do not wait for rows that another transaction has locked', async () => {
    const store = await backend.create();
    await store.initialize();
    const dueAt = new Date(Date.now() - 1000);
    const instance = anInstanceOf('waits-twice');
    const waiting = ['locked', 'free'].map((id) => ({
      id,
      name: 'x',
      hash: 'x',
      workflowInstanceId: instance.id,
      activityInstanceId: 'a',
      createdAt: dueAt,
      dueAt,
    }));
    await store.commit(aBurstOf(instance, { addedBookmarks: waiting }));
    const lease = { owner: 'node-a', leaseMs: 30_000 };
    await store.bookmarks.claimDue({ ...lease, limit: 10, lookAheadMs: 0 });
    const admin = await createWaymarkDataSource(backend.url ?? '').initialize();
    const other = admin.createQueryRunner();
    await other.startTransaction();
    await other.query(`SELECT id FROM ${backend.tablePrefix}bookmarks WHERE id = 'locked' FOR UPDATE`);
    const renewed = await store.bookmarks.renewClaims(['locked', 'free'], lease);
    // Answered although the lock is still held: the other transaction ends only now.
    await other.rollbackTransaction();
    expect(renewed.sort()).toEqual(['free', 'locked']);
    await other.release();
    await admin.destroy();
    await store.close();
  });
});
