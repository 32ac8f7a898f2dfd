import { afterAll, expect, it } from '@jest/globals';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

describeOn(await testBackends('mysql', 'postgres'), 'claims that are renewed: $name', (backend) => {
  afterAll(() => backend.drop());

  it('claims that are renewed do not wait for a row that another transaction has locked, and keep its claim', async () => {
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
    expect(await store.outbox.renew(['locked', 'free'], lease)).toEqual({ renewed: ['free'], locked: ['locked'] });
    await store.outbox.giveUpClaims!(['locked', 'free'], 'node-a');
    expect((await store.outbox.find('free'))?.writtenBy).toBe('node-a');
    // Rows that are not locked are free again. All of it is done while the lock is still held: the other transaction ends only now.
    expect(await store.outbox.delete('free')).toBe(true);
    await other.rollbackTransaction();
    // Taken over by another node, and locked again by what that one commits: not this node's.
    const past = { owner: 'node-b', leaseMs: 30_000, now: new Date(Date.now() + 60_000) };
    await store.outbox.add([{ ...messages[0]!, id: 'taken' }]);
    expect(await store.outbox.renew(['taken'], past)).toEqual({ renewed: ['taken'], locked: [] });
    await other.startTransaction();
    await other.query(`SELECT id FROM ${backend.tablePrefix}outbox WHERE id = 'taken' FOR UPDATE`);
    expect(await store.outbox.renew(['taken'], lease)).toEqual({ renewed: [], locked: [] });
    await other.rollbackTransaction();
    await other.release();
    expect(await store.outbox.renew(['locked', 'free'], lease)).toEqual({ renewed: ['locked'], locked: [] });
    await admin.destroy();
    await store.close();
  });

  it('renewing claims of bookmarks does not wait for rows that another transaction has locked', async () => {
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
    const answer = await store.bookmarks.renewClaims(['locked', 'free'], lease);
    // Answered although the lock is still held: the other transaction ends only now.
    await other.rollbackTransaction();
    expect(answer).toEqual({ renewed: ['free'], locked: ['locked'] });
    await other.release();
    await admin.destroy();
    await store.close();
  });

  it('signs of life of bursts do not wait for an instance that another transaction has locked', async () => {
    const store = await backend.create();
    await store.initialize();
    const executing = { isExecuting: true, subStatus: 'Executing' } as const;
    const ids = ['beats-locked', 'beats'];
    for (const id of ids) await store.commit(aBurstOf({ ...anInstanceOf(id), ...executing }));
    const admin = await createWaymarkDataSource(backend.url ?? '').initialize();
    const other = admin.createQueryRunner();
    await other.startTransaction();
    await other.query(`SELECT id FROM ${backend.tablePrefix}instances WHERE id = 'beats-locked' FOR UPDATE`);
    await store.instances.touch(ids);
    // Done although the lock is still held: the other transaction ends only now.
    await other.rollbackTransaction();
    const found = (await store.instances.findMany({ ids })).items.map(({ id, updatedAt }) => [id, updatedAt.getTime()]);
    const before = anInstanceOf('').updatedAt.getTime();
    expect(Object.fromEntries(found)).toEqual({ 'beats-locked': before, beats: expect.any(Number) });
    expect(Object.fromEntries(found).beats).toBeGreaterThan(before);
    await other.release();
    await admin.destroy();
    await store.close();
  });
});
