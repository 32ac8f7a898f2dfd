import {
  aBookmark,
  aBurst,
  aDefinition,
  after,
  aMessage,
  anInstance,
  anItem,
  aResume,
  aTrigger,
  finished,
  T0,
  uid,
} from '../builders.js';
import type { WorkflowPersistence } from '@waymark/runtime';
import { type ContractContext, outcomes } from './contract-context.js';

const RACERS = 50;

/** What two nodes must not both win (W2, W3, W4, W5). The attempts alternate between two nodes. */
export function racesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const race = (attempt: (node: WorkflowPersistence, n: number) => Promise<unknown>) =>
    outcomes(Array.from({ length: RACERS }, (_, n) => attempt(n % 2 === 0 ? context.store : context.otherNode, n)));

  describe('concurrency', () => {
    it('lets one of 50 resumes consume a bookmark (W2)', async () => {
      const instance = anInstance();
      const bookmark = aBookmark(instance.id);
      await context.store.commit(aBurst(instance, { addedBookmarks: [bookmark] }));
      const counts = await race((node, n) =>
        node.commit({ ...aResume(instance, 1, bookmark.id), outbox: [aMessage({ id: `${bookmark.id}-${n}` })] }),
      );
      expect(counts).toEqual({ fulfilled: 1, WM7002: RACERS - 1 });
      expect(await context.otherNode.instances.load(instance.id)).toMatchObject({ revision: 2 });
      const written = await Promise.all(
        Array.from({ length: RACERS }, (_, n) => context.store.outbox.delete(`${bookmark.id}-${n}`)),
      );
      expect(written.filter(Boolean)).toHaveLength(1);
    });

    it('lets one of 50 writers of a revision through (W3)', async () => {
      const instance = anInstance();
      await context.store.commit(aBurst(instance));
      const counts = await race((node) => node.commit(aBurst(instance, { expectedRevision: 1 })));
      expect(counts).toEqual({ fulfilled: 1, WM7001: RACERS - 1 });
    });

    it('lets one of 50 create an instance', async () => {
      const instance = anInstance();
      expect(await race((node) => node.commit(aBurst(instance)))).toEqual({ fulfilled: 1, WM7001: RACERS - 1 });
    });

    it('lets one of 50 fire an occurrence (W4)', async () => {
      const definition = aDefinition();
      const trigger = aTrigger(definition, { dueAt: T0 });
      await context.store.definitions.apply({
        saved: [],
        deletedIds: [],
        addedTriggers: [trigger],
        removedTriggerIds: [],
      });
      const firing = { triggerId: trigger.id, dueAt: T0, nextDueAt: after(60_000) };
      const counts = await race((node, n) =>
        n % 5 === 4
          ? node.triggers.advance(firing).then((won) => (won ? undefined : Promise.reject(new Error('WM7003'))))
          : node.commit(aBurst(anInstance(), { firing })),
      );
      expect(counts).toEqual({ fulfilled: 1, WM7003: RACERS - 1 });
      expect((await context.store.triggers.findMany({ ids: [trigger.id] }))[0]?.dueAt).toEqual(after(60_000));
    });

    it('lets one of two nodes fire each of 50 occurrences that are due at once, without delaying other commits (W4)', async () => {
      const { store, otherNode } = context;
      const definition = aDefinition();
      const addedTriggers = Array.from({ length: RACERS }, () => aTrigger(definition, { dueAt: T0 }));
      await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers, removedTriggerIds: [] });
      const others = addedTriggers.map(() => anInstance());
      const fired: string[] = [];
      const starts = addedTriggers.flatMap(({ id: triggerId }, n) => {
        const firing = { triggerId, dueAt: T0, nextDueAt: after(60_000) };
        const fire = (node: WorkflowPersistence) => {
          const instance = anInstance();
          return node.commit(aBurst(instance, { firing })).then(() => fired.push(instance.id));
        };
        return [fire(store), fire(otherNode), store.commit(aBurst(others[n]!))];
      });
      expect(await outcomes(starts)).toEqual({ fulfilled: 2 * RACERS, WM7003: RACERS });
      const triggers = await store.triggers.findMany({ ids: addedTriggers.map(({ id }) => id) });
      expect(triggers.map(({ dueAt }) => dueAt)).toEqual(addedTriggers.map(() => after(60_000)));
      const stored = [...fired, ...others.map(({ id }) => id)];
      const loaded = await Promise.all(stored.map((id) => otherNode.instances.load(id)));
      expect(loaded.map((instance) => instance?.id)).toEqual(stored);
    });

    it('lets one of 50 claim each of 20 occurrences with its message, together with others (W4)', async () => {
      const { store, otherNode } = context;
      const definition = aDefinition();
      const addedTriggers = Array.from({ length: 20 }, () => aTrigger(definition, { dueAt: T0 }));
      await store.definitions.apply({ saved: [], deletedIds: [], addedTriggers, removedTriggerIds: [] });
      const attempt = async (node: WorkflowPersistence) => {
        const claims = addedTriggers.map(({ id: triggerId }) => ({
          firing: { triggerId, dueAt: T0, nextDueAt: after(60_000) },
          message: aMessage(),
        }));
        const claimed = await node.triggers.claim(claims);
        const mine = claims.filter(({ firing }) => claimed.has(firing.triggerId)).map(({ message }) => message.id);
        // One message of each attempt, and all that are there.
        const [{ message: first }] = claims as [(typeof claims)[number]];
        expect(await store.outbox.addOnce(first)).toBe(!mine.includes(first.id));
        const there = await Promise.all([...new Set([first.id, ...mine])].map((id) => store.outbox.delete(id)));
        expect(there).toEqual(there.map(() => true));
        return [...claimed];
      };
      const claimed = await Promise.all(
        Array.from({ length: RACERS }, (_, n) => attempt(n % 2 === 0 ? store : otherNode)),
      );
      expect(claimed.flat().toSorted()).toEqual(addedTriggers.map(({ id }) => id).toSorted());
    });

    it('lets one of 50 hold an activation key', async () => {
      const activationKey = uid('singleton');
      const counts = await race((node) => node.commit(aBurst(anInstance(), { activationKey })));
      expect(counts).toEqual({ fulfilled: 1, WM7005: RACERS - 1 });
    });

    it('lets one of 50 use a request key', async () => {
      const requestKey = uid('request');
      const counts = await race((node) => node.commit(aBurst(anInstance(), { requestKey })));
      expect(counts).toEqual({ fulfilled: 1, WM7007: RACERS - 1 });
    });

    it('lets one of 50 serve a message and one serve a queue item (W5)', async () => {
      const message = aMessage();
      const item = anItem();
      await context.store.outbox.add([message]);
      await context.store.queue.enqueue(item);
      const messages = await race((node) => node.commit(aBurst(anInstance(), { consumedMessageIds: [message.id] })));
      expect(messages).toEqual({ fulfilled: 1, WM7004: RACERS - 1 });
      const items = await race((node) => node.commit(aBurst(anInstance(), { consumedQueueItemIds: [item.id] })));
      expect(items).toEqual({ fulfilled: 1, WM7004: RACERS - 1 });
    });

    it('queues one of 50 items with one idempotency key, and returns its id to all', async () => {
      const idempotencyKey = uid('key');
      const kept = await Promise.all(
        Array.from({ length: RACERS }, (_, n) =>
          (n % 2 ? context.store : context.otherNode).queue.enqueue(anItem({ idempotencyKey })),
        ),
      );
      expect(new Set(kept).size).toBe(1);
      expect(await context.store.queue.find(kept[0]!)).toBeDefined();
    });

    it('loses nothing when many instances are started and finished at once', async () => {
      const keys = [uid('singleton'), uid('singleton'), uid('singleton')];
      const done = await race(async (node, n) => {
        const instance = anInstance();
        const bookmarks = [aBookmark(instance.id), aBookmark(instance.id)];
        await node.commit(
          aBurst(instance, { addedBookmarks: bookmarks, outbox: [aMessage({ workflowInstanceId: instance.id })] }),
        );
        await node.commit(aResume(instance, 1, bookmarks[0]!.id));
        await node.commit(aBurst(finished(instance), { expectedRevision: 2 }));
        const activationKey = keys[n % 3];
        const short = anInstance();
        // Refused while another of these calls holds it; each releases it at once.
        await node
          .commit(aBurst(short, { activationKey }))
          .then(() => node.commit(aBurst(finished(short), { expectedRevision: 1 })))
          .catch((error: { code?: string }) => {
            if (error.code !== 'WM7005') throw error;
          });
        const loaded = await node.instances.load(instance.id);
        if (loaded?.revision !== 3) throw new Error(`revision ${loaded?.revision}`);
        await node.instances.delete([instance.id]);
      });
      expect(done).toEqual({ fulfilled: RACERS });
      for (const activationKey of keys) await context.store.commit(aBurst(finished(anInstance()), { activationKey }));
    });
  });
}
