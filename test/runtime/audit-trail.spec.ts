import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AuditTrail, MemoryPersistence, StoreUnavailableError } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { type RuntimeNode, startNode } from '../support/runtime-node.js';

describe('AuditTrail', () => {
  let clock: VirtualClock;
  let node: RuntimeNode;
  let persistence: MemoryPersistence;
  const trail = () => node.get(AuditTrail);

  beforeEach(async () => {
    clock = new VirtualClock();
    persistence = new MemoryPersistence();
    node = await startNode(persistence, { clock });
  });
  afterEach(() => node.close());

  it('writes what the application does, with the time of its clock', async () => {
    expect(await trail().record({ action: 'invoices.approve', actor: 'ann', targetIds: ['i1'] })).toBe(true);
    expect(await persistence.audit.find({ targetId: 'i1' }, { limit: 2 })).toMatchObject([
      { action: 'invoices.approve', actor: 'ann', actorKind: 'Application', at: new Date(clock.now()) },
    ]);
    expect(trail().counts).toEqual({ written: 1, lost: 0 });
  });

  it('writes nothing of a record that cannot be an entry', async () => {
    await expect(trail().record({ action: 'approve' })).rejects.toMatchObject({ code: 'WM8030' });
    expect(await persistence.audit.find({}, { limit: 2 })).toEqual([]);
  });

  it('says when the store refuses an entry, and counts it', async () => {
    persistence.audit.add = () => Promise.reject(new StoreUnavailableError('gone'));
    expect(await trail().record({ action: 'a.b' })).toBe(false);
    expect(trail().counts).toEqual({ written: 0, lost: 1 });
  });

  it('does not wait for a silent store, which may accept the entry later', async () => {
    const add = persistence.audit.add.bind(persistence.audit);
    let go = (): void => {};
    persistence.audit.add = async (entries) => {
      await new Promise<void>((resolve) => (go = resolve));
      await add(entries);
    };
    const recorded = trail().record({ action: 'a.b' });
    await clock.advance(5000);
    expect([await recorded, trail().counts.written]).toEqual([false, 0]);
    persistence.audit.add = add;
    go();
    expect(await trail().record({ action: 'c.d' })).toBe(true);
    expect(trail().counts).toEqual({ written: 2, lost: 0 });
  });
});
