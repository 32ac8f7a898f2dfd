import { aBurst, after, aMessage, anInstance, T0, uid } from '../builders.js';
import type { OutboxMessage, WorkflowPersistence } from '@waymark/runtime';
import type { ContractContext } from './contract-context.js';

const LEASE = 30_000;

/** `OutboxStore`: claims, leases, failures. */
export function outboxContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const claim = (now: Date, { node = context.store, ...given }: ClaimGiven = {}) =>
    node.outbox.claim({ owner: 'node-a', limit: 100, leaseMs: LEASE, now, ...given });
  const lease = (owner: string, now: Date) => ({ owner, leaseMs: LEASE, now });
  const idsOf = (messages: readonly OutboxMessage[]) => messages.map((message) => message.id);

  /** Claims are over the whole outbox, so each test begins with an empty one. */
  async function drain(): Promise<void> {
    const farOff = new Date('2090-01-01T00:00:00Z');
    for (let claimed = await claim(farOff); claimed.length > 0; claimed = await claim(farOff)) {
      for (const message of claimed) await context.store.outbox.delete(message.id);
    }
  }

  describe('outbox', () => {
    it('hands out available messages, those available longest first, as they were written', async () => {
      const { store } = context;
      await drain();
      const payload = { at: after(1), big: 2n ** 70n, text: 'žluťoučký' };
      const [second, first, later] = [after(2), after(1), after(500)].map((availableAt) =>
        aMessage({ availableAt, payload, workflowInstanceId: uid('instance') }),
      );
      await store.outbox.add([second!, later!]);
      await store.commit(aBurst(anInstance(), { outbox: [first!] }));
      expect(await claim(after(100))).toEqual([first, second]);
      expect(await claim(after(100))).toEqual([]);
      expect(await claim(after(500))).toEqual([later]);
    });

    it('finds out whether it can be written, and leaves no trace of that', async () => {
      const { store } = context;
      await drain();
      const before = await store.outbox.count();
      await Promise.all([store.checkWritable(), store.checkWritable()]);
      expect(await store.outbox.count()).toEqual(before);
      expect(await claim(new Date('2090-01-01T00:00:00Z'))).toEqual([]);
    });

    it('keeps the order in which messages of one time were added', async () => {
      await drain();
      const messages = Array.from({ length: 20 }, () => aMessage());
      await context.store.outbox.add(messages);
      expect(idsOf(await claim(T0, { limit: 5 }))).toEqual(idsOf(messages.slice(0, 5)));
      expect(idsOf(await claim(T0, { limit: 50 }))).toEqual(idsOf(messages.slice(5)));
    });

    it('ignores a message that is known', async () => {
      const { store } = context;
      await drain();
      const message = aMessage();
      await store.outbox.add([message]);
      await store.outbox.add([{ ...message, kind: 'other' }, aMessage({ id: `${message.id}-2` })]);
      await store.outbox.add([]);
      expect(idsOf(await claim(T0))).toEqual([message.id, `${message.id}-2`]);
      expect(await store.outbox.count()).toMatchObject({ waiting: 2 });
    });

    it('gives concurrent claimers disjoint sets', async () => {
      await drain();
      const messages = Array.from({ length: 100 }, () => aMessage());
      await context.store.outbox.add(messages);
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          claim(T0, { limit: 7, owner: `node-${n}`, node: n % 2 ? context.store : context.otherNode }),
        ),
      );
      const ids = claims.flat().map((message) => message.id);
      expect(new Set(ids).size).toBe(ids.length);
      // A claimer may find less than there is while others hold rows locked; nothing is lost.
      while (ids.length < messages.length) {
        const more = idsOf(await claim(T0));
        expect(more.length).toBeGreaterThan(0);
        ids.push(...more);
      }
      expect(ids.sort()).toEqual(idsOf(messages).sort());
    });

    it('hands a message to somebody else once its lease ran out, and counts the attempt', async () => {
      await drain();
      const message = aMessage();
      await context.store.outbox.add([message]);
      expect(await claim(T0)).toEqual([message]);
      expect(await claim(after(LEASE - 1), { owner: 'node-b' })).toEqual([]);
      expect(await claim(after(LEASE), { owner: 'node-b' })).toEqual([{ ...message, attempts: 1 }]);
      expect(await claim(after(2 * LEASE))).toEqual([{ ...message, attempts: 2 }]);
    });

    it('holds messages for longer while their owner serves them', async () => {
      const { store, otherNode } = context;
      await drain();
      const [claimed, fresh, buried] = [aMessage(), aMessage({ availableAt: after(5) }), aMessage()];
      await store.outbox.add([claimed, fresh, buried]);
      await claim(T0);
      await store.outbox.bury(buried.id, 'never');
      const ids = [fresh.id, claimed.id, buried.id, uid('absent')];
      expect((await store.outbox.renew(ids, lease('node-a', after(LEASE)))).sort()).toEqual(
        [claimed.id, fresh.id].sort(),
      );
      expect(await otherNode.outbox.renew(ids, lease('node-b', after(8 * LEASE)))).toEqual([]);
      expect(await claim(after(2 * LEASE - 1), { owner: 'node-b', node: otherNode })).toEqual([]);
      const taken = await claim(after(2 * LEASE), { owner: 'node-b', node: otherNode });
      expect(idsOf(taken).sort()).toEqual([claimed.id, fresh.id].sort());
      expect(taken.map(({ attempts }) => attempts)).toEqual([1, 1]);
      expect(await store.outbox.renew([], lease('node-a', T0))).toEqual([]);
    });

    it('hands out again what its owner does not know of, uncounted: an answer was lost', async () => {
      await drain();
      const messages = ['known', 'lost', 'other'].map((kind) => aMessage({ kind }));
      const [known, lost] = messages;
      await context.store.outbox.add(messages);
      await claim(T0, { exceptKinds: ['other'] });
      await claim(T0, { owner: 'node-b' });
      expect(await claim(after(1))).toEqual([]);
      expect(await claim(after(1), { held: [known!.id], exceptKinds: ['lost'] })).toEqual([]);
      expect(await claim(after(1), { held: [known!.id] })).toEqual([lost]);
      expect(await claim(after(2), { held: [known!.id, lost!.id] })).toEqual([]);
      expect(await claim(after(2), { held: [] })).toEqual([known, lost]);
      // As before once a lease has ended: then it was an attempt, also of this owner.
      const ended = await claim(after(LEASE + 2), { held: [] });
      expect(ended.map(({ kind, attempts }) => `${kind} ${attempts}`).sort()).toEqual(['known 1', 'lost 1', 'other 1']);
    });

    it('leaves out kinds that a claimer has no place for', async () => {
      await drain();
      const messages = ['a', 'b', 'c'].map((kind) => aMessage({ kind }));
      await context.store.outbox.add(messages);
      const some = await context.store.outbox.claim({
        owner: 'node-a',
        limit: 10,
        leaseMs: LEASE,
        now: T0,
        exceptKinds: ['a', 'c'],
      });
      expect(some.map(({ kind }) => kind)).toEqual(['b']);
      expect((await claim(T0)).map(({ kind }) => kind)).toEqual(['a', 'c']);
    });

    it('takes a message back that was not tried, without counting', async () => {
      const { store } = context;
      await drain();
      const message = aMessage();
      await store.outbox.add([message]);
      await claim(T0);
      await store.outbox.postpone(message.id, after(50));
      expect(await claim(after(49))).toEqual([]);
      expect(await claim(after(50))).toEqual([{ ...message, availableAt: after(50) }]);
      await store.outbox.postpone(uid('absent'), T0);
    });

    it('takes a message back after a failure, to be available later', async () => {
      const { store } = context;
      await drain();
      const message = aMessage();
      await store.outbox.add([message]);
      await claim(T0);
      await store.outbox.release(message.id, 'no connection', after(50));
      expect(await claim(after(49))).toEqual([]);
      const again = { ...message, attempts: 1, lastError: 'no connection', availableAt: after(50) };
      expect(await claim(after(50))).toEqual([again]);
      await store.outbox.release(message.id, 'still none', after(60));
      expect(await claim(after(60))).toEqual([
        { ...again, attempts: 2, lastError: 'still none', availableAt: after(60) },
      ]);
      await store.outbox.release(uid('absent'), 'x', T0);
    });

    it('sets a message aside for good', async () => {
      const { store } = context;
      await drain();
      const before = await store.outbox.count();
      const [buried, kept] = [aMessage(), aMessage()];
      await store.outbox.add([buried, kept]);
      await claim(T0);
      await store.outbox.bury(buried.id, 'it never worked');
      expect(await store.outbox.count()).toEqual({ waiting: 1, buried: before.buried + 1 });
      expect(idsOf(await claim(after(10 * LEASE)))).toEqual([kept.id]);
      await store.outbox.release(buried.id, 'x', T0);
      expect(await claim(after(10 * LEASE))).toEqual([]);
      expect(await store.outbox.delete(buried.id)).toBe(true);
      expect(await store.outbox.delete(buried.id)).toBe(false);
      await store.outbox.bury(uid('absent'), 'x');
    });

    it('lists what was set aside, newest first, and makes it available again', async () => {
      const { store } = context;
      await drain();
      const kind = uid('kind');
      const messages = [0, 1, 2].map((n) => aMessage({ kind, createdAt: after(n) }));
      await store.outbox.add([...messages, aMessage({ kind })]);
      await claim(T0);
      for (const { id } of messages) await store.outbox.bury(id, 'it never worked');
      const buried = messages
        .map((message) => ({ ...message, attempts: 1, lastError: 'it never worked' }))
        .toReversed();
      expect(await store.outbox.findBuried({ kind })).toEqual({ items: buried, totalCount: 3 });
      expect(await store.outbox.findBuried({ kind }, { skip: 1, take: 1 })).toEqual({
        items: [buried[1]],
        totalCount: 3,
      });
      expect(await store.outbox.findBuried({ id: messages[0]!.id })).toEqual({ items: [buried[2]], totalCount: 1 });
      expect((await store.outbox.findBuried({ kind: uid('other') })).items).toEqual([]);

      await drain();
      expect(await store.outbox.revive(messages[0]!.id, after(LEASE))).toBe(true);
      expect(await store.outbox.revive(messages[0]!.id, T0)).toBe(false);
      expect(await store.outbox.revive(uid('absent'), T0)).toBe(false);
      expect((await store.outbox.findBuried({ kind })).totalCount).toBe(2);
      expect((await claim(after(LEASE - 1))).map(({ id }) => id)).toEqual([]);
      const again = { ...messages[0], attempts: 0, lastError: 'it never worked', availableAt: after(LEASE) };
      expect(await claim(after(LEASE))).toEqual([again]);
    });
  });
}

interface ClaimGiven {
  readonly limit?: number;
  readonly owner?: string;
  readonly held?: readonly string[];
  readonly exceptKinds?: readonly string[];
  readonly node?: WorkflowPersistence;
}
