import { aBurst, after, aMessage, anInstance, T0, uid } from '../builders.js';
import type { OutboxDeadLetterFilter, IdPage } from '@waymark/runtime/adapter';
import type { ContractContext } from './contract-context.js';
import { idsOf, LEASE, outboxClaims } from './outbox-claims.js';

/** `OutboxStore`: claims, leases, failures. */
export function outboxContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const { claim, drain } = outboxClaims(context);
  const lease = (owner: string, now: Date) => ({ owner, leaseMs: LEASE, now });

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

    it('checks whether it can be written, without leaving a trace', async () => {
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

    it('ignores a message that already exists', async () => {
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

    it('hands a message to another owner once its lease ran out, and counts the attempt', async () => {
      await drain();
      const message = aMessage();
      await context.store.outbox.add([message]);
      expect(await claim(T0)).toEqual([message]);
      expect(await claim(after(LEASE - 1), { owner: 'node-b' })).toEqual([]);
      expect(await claim(after(LEASE), { owner: 'node-b' })).toEqual([{ ...message, attempts: 1 }]);
      expect(await claim(after(2 * LEASE))).toEqual([{ ...message, attempts: 2 }]);
    });

    it('does not count the end of a claim that its owner has given up, and hands it out no earlier', async () => {
      const { store, otherNode } = context;
      await drain();
      const workflowInstanceId = uid('instance');
      const [held, taken, failed] = [aMessage({ kind: 'held', workflowInstanceId }), aMessage(), aMessage()];
      await store.outbox.add([held, taken, failed]);
      await store.outbox.moveToDeadLetters(failed.id, 'never');
      expect(idsOf(await claim(T0))).toEqual([held.id, taken.id]);
      await store.outbox.giveUpClaims!([], 'node-a');
      await otherNode.outbox.giveUpClaims!([held.id, taken.id], 'node-b');
      await store.outbox.giveUpClaims!([held.id, failed.id, uid('absent')], 'node-a');
      // What ends the pauses of an instance does not end the claim of work that still runs.
      expect(await otherNode.outbox.endPauses!(workflowInstanceId, ['held'], T0)).toBe(0);
      expect(await claim(after(LEASE - 1), { owner: 'node-b' })).toEqual([]);
      const [first, second] = await claim(after(LEASE), { owner: 'node-b' });
      expect([first, second]).toMatchObject([
        { id: held.id, attempts: 0 },
        { id: taken.id, attempts: 1 },
      ]);
      // The next one who has it may die.
      expect(await claim(after(2 * LEASE), { limit: 1 })).toMatchObject([{ id: held.id, attempts: 1 }]);
      for (const { id } of [held, taken]) await store.outbox.delete(id);
      await store.outbox.deleteDeadLetters([failed.id]);
    });

    it('forgets what a message had failed with when a node has died with it since', async () => {
      await drain();
      const message = aMessage();
      await context.store.outbox.add([message]);
      await claim(T0);
      await context.store.outbox.release(message.id, 'no connection', T0);
      expect(await claim(T0)).toEqual([{ ...message, attempts: 1, lastError: 'no connection' }]);
      expect(await claim(after(LEASE))).toEqual([{ ...message, attempts: 2 }]);
      expect(await context.otherNode.outbox.find(message.id)).toEqual({ ...message, attempts: 2 });
    });

    it('holds messages for longer while their owner serves them', async () => {
      const { store, otherNode } = context;
      await drain();
      const [claimed, fresh, deadLetters] = [aMessage(), aMessage({ availableAt: after(5) }), aMessage()];
      await store.outbox.add([claimed, fresh, deadLetters]);
      await claim(T0);
      await store.outbox.moveToDeadLetters(deadLetters.id, 'never');
      const ids = [fresh.id, claimed.id, deadLetters.id, uid('absent')];
      expect((await store.outbox.renew(ids, lease('node-a', after(LEASE)))).renewed.toSorted()).toEqual(
        [claimed.id, fresh.id].sort(),
      );
      expect(await otherNode.outbox.renew(ids, lease('node-b', after(8 * LEASE)))).toEqual({ renewed: [], locked: [] });
      expect(await claim(after(2 * LEASE - 1), { owner: 'node-b', node: otherNode })).toEqual([]);
      const taken = await claim(after(2 * LEASE), { owner: 'node-b', node: otherNode });
      expect(idsOf(taken).sort()).toEqual([claimed.id, fresh.id].sort());
      expect(taken.map(({ attempts }) => attempts)).toEqual([1, 1]);
      expect(await store.outbox.renew([], lease('node-a', T0))).toEqual({ renewed: [], locked: [] });
    });

    it('hands out messages again that their owner does not know of, after a lost answer, without counting an attempt', async () => {
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
      expect(await claim(after(2), { held: [known!.id], limit: 5, long: { limit: 5 } })).toEqual([lost]);
      // As before once a lease has ended: then it was an attempt, also of this owner.
      const ended = await claim(after(LEASE + 2), { held: [] });
      expect(ended.map(({ kind, attempts }) => `${kind} ${attempts}`).sort()).toEqual(['known 1', 'lost 1', 'other 1']);
    });

    it('skips kinds for which a claimer has no free place', async () => {
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

    it('hands out long work by its turns and the rest by time, each within its own limit', async () => {
      await drain();
      const short = [3, 1, 2].map((n) => aMessage({ availableAt: after(n) }));
      const long = [2, 1, 1, 2, 3, 5].map((turn, n) => aMessage({ turn, kind: 'long', availableAt: after(9 - n) }));
      const later = aMessage({ turn: 1, kind: 'long', availableAt: after(500) });
      await context.store.outbox.add([...long, ...short, later]);
      const claimed = await claim(after(100), { limit: 2, long: { limit: 3 } });
      expect(claimed).toEqual([short[1], short[2], long[2], long[1], long[3]]);
      expect(await claim(after(100), { limit: 0, long: { limit: 1, fromTurn: 3 }, owner: 'node-b' })).toEqual([
        long[4],
      ]);
      expect(await claim(after(100), { limit: 0, long: { limit: 0 } })).toEqual([]);
      expect(await claim(after(100), { limit: 9, long: { limit: 0 } })).toEqual([short[0]]);
      expect(await claim(after(100), { limit: 9, long: { limit: 9 } })).toEqual([long[0], long[5]]);
      // Without lanes all of them are one line by time: as it is for nodes of the version before.
      await drain();
      await context.store.outbox.add([long[0]!, short[0]!, long[1]!]);
      expect(await claim(after(100))).toEqual([short[0], long[1], long[0]]);
    });

    it('keeps the turn of a message through failures, and gives concurrent claimers disjoint turns', async () => {
      const { store } = context;
      await drain();
      const messages = Array.from({ length: 60 }, (_, n) => aMessage({ turn: 1 + (n % 7), kind: 'long' }));
      await store.outbox.add(messages);
      const claims = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          claim(T0, { limit: 0, long: { limit: 5 }, owner: `n-${n}`, node: n % 2 ? store : context.otherNode }),
        ),
      );
      const ids = claims.flatMap(idsOf);
      expect(new Set(ids).size).toBe(ids.length);
      const [failed, postponed, deadLetters] = claims.flat();
      const { id } = failed!;
      await store.outbox.release(id, 'no', T0);
      await store.outbox.postpone(postponed!.id, T0);
      await store.outbox.moveToDeadLetters(deadLetters!.id, 'never');
      await store.outbox.revive([deadLetters!.id], T0);
      const again = await claim(after(LEASE), { limit: 0, long: { limit: 100 } });
      const turnOf = new Map(messages.map((message) => [message.id, message.turn]));
      expect(again.map((message) => message.turn)).toEqual(again.map((message) => turnOf.get(message.id)));
      expect(idsOf(again).sort()).toEqual(idsOf(messages).sort());
      expect(again.map(({ turn }) => turn)).toEqual(again.map(({ turn }) => turn!).sort((a, b) => a - b));
    });

    it('writes one message of an id', async () => {
      const { store, otherNode } = context;
      await drain();
      const id = uid('once');
      const messages = ['a', 'b', 'c', 'd'].map((text) => aMessage({ id, payload: { text } }));
      const added = await Promise.all(messages.map((m, n) => (n % 2 ? store : otherNode).outbox.addOnce(m)));
      expect(added.filter(Boolean)).toHaveLength(1);
      expect(await claim(T0)).toEqual([messages[added.indexOf(true)]]);
      // Also one that is served, and a dead letter.
      expect(await store.outbox.addOnce(messages[0]!)).toBe(false);
      await store.outbox.moveToDeadLetters(id, 'never');
      expect(await store.outbox.addOnce(messages[0]!)).toBe(false);
      await store.outbox.delete(id);
      expect(await store.outbox.addOnce(messages[0]!)).toBe(true);
    });

    it('releases a message that was not tried, without counting an attempt', async () => {
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

    it('leaves a message alone that another node has, when its earlier owner gives it back', async () => {
      const { outbox } = context.store;
      await drain();
      const message = aMessage();
      await outbox.add([message]);
      const lease = { limit: 1, leaseMs: 1000 };
      await outbox.claim({ ...lease, owner: 'slow', now: T0 });
      const [claimed] = await context.otherNode.outbox.claim({ ...lease, owner: 'next', now: after(1000) });
      await outbox.postpone(message.id, T0, 'slow');
      await outbox.release(message.id, 'too late', T0, 'slow');
      await outbox.moveToDeadLetters(message.id, 'too late', 'slow');
      expect(await outbox.find(message.id)).toEqual(claimed);
      expect((await outbox.renew([message.id], { owner: 'next', leaseMs: 1000, now: after(1001) })).renewed).toEqual([
        message.id,
      ]);
      await outbox.release(message.id, 'no connection', after(50), 'next');
      expect(await outbox.find(message.id)).toMatchObject({ attempts: claimed!.attempts + 1, availableAt: after(50) });
      // Without an owner: the node that serves it gives it back.
      await outbox.postpone(message.id, after(60), 'slow');
      expect(await outbox.find(message.id)).toMatchObject({ availableAt: after(60) });
      await outbox.moveToDeadLetters(message.id, 'never', 'slow');
      expect((await outbox.findDeadLetters({ id: message.id })).totalCount).toBe(1);
    });

    it('releases a message after a failure, to be available later', async () => {
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

    it('makes a message a dead letter', async () => {
      const { store } = context;
      await drain();
      const before = await store.outbox.count();
      const [deadLetters, kept] = [aMessage(), aMessage()];
      await store.outbox.add([deadLetters, kept]);
      await claim(T0);
      await store.outbox.moveToDeadLetters(deadLetters.id, 'it never worked');
      expect(await store.outbox.count()).toEqual({ waiting: 1, deadLetters: before.deadLetters + 1 });
      expect(idsOf(await claim(after(10 * LEASE)))).toEqual([kept.id]);
      await store.outbox.release(deadLetters.id, 'x', T0);
      expect(await claim(after(10 * LEASE))).toEqual([]);
      expect(await store.outbox.delete(deadLetters.id)).toBe(true);
      expect(await store.outbox.delete(deadLetters.id)).toBe(false);
      await store.outbox.moveToDeadLetters(uid('absent'), 'x');
    });

    it('deletes old dead letters, the oldest first, and leaves what waits', async () => {
      const { outbox } = context.store;
      await drain();
      // Before any other in this store.
      const at = (ms: number) => new Date(86_400_000 + ms);
      const of = (ms: number) => aMessage({ createdAt: at(ms), availableAt: at(ms) });
      const letters = [of(0), of(1), of(2)];
      const waiting = of(0);
      await outbox.add([...letters, waiting]);
      for (const { id } of letters) await outbox.moveToDeadLetters(id, 'never');
      const left = async () => {
        const { items } = await outbox.findDeadLetters({ ids: idsOf(letters) });
        return idsOf(items).sort();
      };
      expect(await outbox.purgeDeadLetters(at(2), 1)).toBe(1);
      expect(await left()).toEqual([letters[1]!.id, letters[2]!.id].sort());
      expect(await context.otherNode.outbox.purgeDeadLetters(at(2), 1000)).toBe(1);
      expect([await outbox.purgeDeadLetters(at(2), 1000), await left()]).toEqual([0, [letters[2]!.id]]);
      expect(await outbox.delete(waiting.id)).toBe(true);
      await outbox.deleteDeadLetters(await left());
    });

    it('lists dead letters, newest first, and makes it available again', async () => {
      const { store } = context;
      await drain();
      const kind = uid('kind');
      const messages = [0, 1, 2].map((n) => aMessage({ kind, createdAt: after(n) }));
      await store.outbox.add([...messages, aMessage({ kind })]);
      await claim(T0);
      for (const { id } of messages) await store.outbox.moveToDeadLetters(id, 'it never worked');
      const deadLetters = messages
        .map((message) => ({ ...message, attempts: 1, lastError: 'it never worked' }))
        .toReversed();
      expect(await store.outbox.findDeadLetters({ kind })).toEqual({ items: deadLetters, totalCount: 3 });
      expect(await store.outbox.findDeadLetters({ kind }, { skip: 1, take: 1 })).toEqual({
        items: [deadLetters[1]],
        totalCount: 3,
      });
      expect(await store.outbox.findDeadLetters({ kind }, { skip: 0, take: 0, countUpTo: 2 })).toEqual({
        items: [],
        totalCount: 2,
        isTotalLowerBound: true,
      });
      expect(await store.outbox.findDeadLetters({ id: messages[0]!.id })).toEqual({
        items: [deadLetters[2]],
        totalCount: 1,
      });
      expect((await store.outbox.findDeadLetters({ kind: uid('other') })).items).toEqual([]);

      await drain();
      expect(await store.outbox.revive([messages[0]!.id], after(LEASE))).toBe(1);
      expect(await store.outbox.revive([messages[0]!.id, uid('absent')], T0)).toBe(0);
      expect(await store.outbox.revive([], T0)).toBe(0);
      expect((await store.outbox.findDeadLetters({ kind })).totalCount).toBe(2);
      expect((await claim(after(LEASE - 1))).map(({ id }) => id)).toEqual([]);
      const again = { ...messages[0], attempts: 0, availableAt: after(LEASE) };
      expect(await claim(after(LEASE))).toEqual([again]);
    });

    it('finds its dead letters in order of id, by all that they are filtered by, and deletes them', async () => {
      const { store } = context;
      await drain();
      const kind = uid('kind');
      const messages = [0, 1, 2, 3].map((n) => aMessage({ kind, createdAt: after(n) }));
      const waiting = aMessage({ kind });
      await store.outbox.add([...messages, waiting]);
      const errors = ['WM1020: gone', 'WM10200: other', 'it says WM1020: late', 'WM1020: gone'];
      for (const [n, { id }] of messages.entries()) await store.outbox.moveToDeadLetters(id, errors[n]!);
      const sorted = idsOf(messages).toSorted();
      const find = async (filter: OutboxDeadLetterFilter, page: IdPage = { limit: 9 }) =>
        idsOf(await store.outbox.findDeadLettersAfter({ kind, ...filter }, page));
      expect(await find({}, { limit: 3 })).toEqual(sorted.slice(0, 3));
      expect(await find({}, { after: sorted[2], limit: 3 })).toEqual(sorted.slice(3));
      const [first, second, third, last] = idsOf(messages);
      expect(await find({ errorCode: 'WM1020' })).toEqual([first!, last!].toSorted());
      expect(await find({ createdAfter: after(0), createdBefore: after(3) })).toEqual([second!, third!].toSorted());
      expect(await find({ ids: [second!, waiting.id], errorCode: 'WM10200' })).toEqual([second]);
      expect(await find({ ids: [] })).toEqual([]);
      expect((await store.outbox.findDeadLetters({ kind, errorCode: 'WM1020' })).totalCount).toBe(2);
      expect(await store.outbox.deleteDeadLetters([first!, second!, waiting.id, uid('absent')])).toBe(2);
      expect(await store.outbox.deleteDeadLetters([])).toBe(0);
      expect(await find({})).toEqual([third!, last!].toSorted());
      expect(await store.outbox.revive([third!, last!], T0)).toBe(2);
      expect(await find({})).toEqual([]);
    });
  });
}
