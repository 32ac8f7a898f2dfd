import type { WorkflowPersistence } from '@waymark/runtime';
import type { InterruptedOptions } from '@waymark/runtime/adapter';
import { aBurst, aMessage, anInstance, finished } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** `InstanceStore.findInterrupted`: bursts that a node left half-way, part by part. */
export function interruptedContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('interrupted bursts', () => {
    it('are instances that execute without a sign of life', async () => {
      const { store } = context;
      const at = (ms: number) => new Date(2 * 86_400_000 + ms);
      const [later, first, ended] = [at(5), at(0), at(1)].map((updatedAt) =>
        anInstance({ isExecuting: true, updatedAt }),
      );
      const others = [finished(ended!), anInstance({ isExecuting: false, updatedAt: at(2) })];
      for (const instance of [later!, first!, ...others]) await store.commit(aBurst(instance));
      const find = (now: number, limit = 10) => findInterrupted(store, { quietMs: 100, limit, now: at(now) });
      const both = [first!.id, later!.id].sort();
      expect(await find(100)).toEqual([]);
      expect(await find(101)).toEqual([first!.id]);
      expect((await find(106)).sort()).toEqual(both);
      expect((await find(106, 1)).sort()).toEqual(both);
      await store.outbox.add([aMessage({ id: `ask/${first!.id}` })]);
      const unasked = { quietMs: 100, limit: 1, now: at(106), unlessMessage: 'ask/' };
      expect(await findInterrupted(store, unasked)).toEqual([later!.id]);
      await store.outbox.delete(`ask/${first!.id}`);
      await store.instances.delete([later!.id, first!.id]);
    });

    it('are found in batches, each of them once', async () => {
      const { store } = context;
      const at = (ms: number) => new Date(3 * 86_400_000 + ms);
      // Some at the same time: the place is not the time alone. The last one shows signs of life: it ends a part, or stands behind one.
      const times = [1, 2, 2, 2, 3, 5];
      const instances = times.map((ms) => anInstance({ isExecuting: true, updatedAt: at(ms) }));
      for (const instance of instances) await store.commit(aBurst(instance));
      for (const limit of [1, 2, 3, 1000]) {
        const found = await findInterrupted(store, { quietMs: 100, limit, now: at(104) });
        expect(found.sort()).toEqual(
          instances
            .slice(0, -1)
            .map(({ id }) => id)
            .sort(),
        );
      }
      await store.instances.delete(instances.map(({ id }) => id));
    });
  });
}

/** All parts, one after the other. */
async function findInterrupted(
  { instances }: WorkflowPersistence,
  options: Omit<InterruptedOptions, 'after'>,
): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const { ids, next } = await instances.findInterrupted({ ...options, after });
    if (ids.length > options.limit) throw new Error(`${ids.length} ids are more than ${options.limit}.`);
    found.push(...ids);
    after = next;
  } while (after !== undefined);
  return found;
}
