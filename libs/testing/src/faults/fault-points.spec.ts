import { MemoryPersistence } from '@waymark/runtime';
import { type OutboxMessage } from '@waymark/runtime/adapter';
import { type Fault, FaultPoints, withFaultPoints } from './fault-points.js';

const at = new Date('2026-03-01T10:00:00Z');
const message: OutboxMessage = { id: 'm', kind: 'test', payload: 1, createdAt: at, availableAt: at, attempts: 0 };

describe('FaultPoints', () => {
  it('lists every call of the store, and which of them write', async () => {
    const points = new FaultPoints();
    const store = withFaultPoints(new MemoryPersistence(), points);
    await store.outbox.add([message]);
    await store.outbox.count();
    await store.outbox.add([]);
    expect(points.reached).toEqual(['outbox.add#1', 'outbox.count#1', 'outbox.add#2']);
    expect(points.reached.map((point) => FaultPoints.isWrite(point))).toEqual([true, false, true]);
    expect(points.isMet).toBe(false);
  });

  it.each<[Fault, number]>([
    ['dies before', 0],
    ['dies after', 1],
  ])('%s: no further call reaches the store', async (fault, stored) => {
    const memory = new MemoryPersistence();
    const points = new FaultPoints({ at: 'outbox.add#1', fault });
    const store = withFaultPoints(memory, points);
    let heard = false;
    void store.outbox.add([message]).then(() => (heard = true));
    await points.died;
    void store.outbox.delete('m').then(() => (heard = true));
    expect([points.isDead, points.isMet]).toEqual([true, true]);
    expect((await memory.outbox.count()).waiting).toBe(stored);
    expect(heard).toBe(false);
  });

  it.each<[Fault, number, string]>([
    ['fails', 0, 'WM7014'],
    ['loses the answer', 1, 'WM7015'],
  ])('%s: the node lives on', async (fault, stored, code) => {
    const memory = new MemoryPersistence();
    const points = new FaultPoints({ at: 'outbox.add#1', fault });
    const store = withFaultPoints(memory, points);
    await expect(store.outbox.add([message])).rejects.toMatchObject({ code });
    expect((await memory.outbox.count()).waiting).toBe(stored);
    await store.outbox.add([message]);
    expect([points.isDead, (await memory.outbox.count()).waiting]).toEqual([false, 1]);
  });
});
