import type { WorkflowExecutionContext } from '@waymark/core';
import { InstanceLocks } from './instance-locks.js';
import { ResumeRequest } from './resume-request.js';

describe('InstanceLocks', () => {
  it('gives turns of one instance in the order in which they were asked for', async () => {
    const turns = new InstanceLocks();
    const order: string[] = [];
    const task = async (name: string): Promise<void> => {
      const turn = turns.enter('i');
      if (turn) await turn;
      order.push(`${name} begins`);
      await Promise.resolve();
      order.push(`${name} ends`);
      turns.leave('i');
    };
    await Promise.all([task('a'), task('b'), task('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('lets different instances run side by side, and forgets finished ones', () => {
    const turns = new InstanceLocks();
    expect([turns.enter('i'), turns.enter('j')]).toEqual([undefined, undefined]);
    turns.leave('i');
    expect(turns.enter('i')).toBeUndefined();
  });

  it('knows the burst of a turn as long as it runs', () => {
    const turns = new InstanceLocks();
    const burst = { id: 'i' } as WorkflowExecutionContext;
    turns.setBurst('i', burst);
    expect(turns.burstOf('i')).toBeUndefined();
    void turns.enter('i');
    turns.setBurst('i', burst);
    expect(turns.burstOf('i')).toBe(burst);
    turns.setBurst('i', undefined);
    expect(turns.burstOf('i')).toBeUndefined();
  });

  it('refuses those that wait for their turn, and gives turns again afterwards', async () => {
    const turns = new InstanceLocks();
    void turns.enter('i');
    const request = new ResumeRequest({ bookmarkId: 'b' }, {}, undefined);
    const waiting = [turns.enter('i'), turns.enter('i', request)];
    const fault = new Error('The store is out.');
    turns.refuse('i', fault);
    await expect(waiting[0]).rejects.toBe(fault);
    expect(await waiting[1]).toBe(false);
    expect(() => request.outcome()).toThrow(fault);
    const next = turns.enter('i');
    turns.leave('i');
    expect(await next).toBe(true);
  });
});
