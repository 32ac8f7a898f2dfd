import { after, aMessage, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';
import { idsOf, LEASE, outboxClaims } from './outbox-claims.js';

/** `OutboxStore`: messages that wait at a turn, and pauses of the messages for an instance. */
export function waitingMessagesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;
  const { claim, drain } = outboxClaims(context);

  describe('outbox', () => {
    it('lets messages wait at a turn, where only claims of that turn find them', async () => {
      const { store, otherNode } = context;
      await drain();
      const messages = Array.from({ length: 6 }, (_, n) => aMessage({ kind: 'start', availableAt: after(n) }));
      const long = aMessage({ turn: 1, kind: 'long' });
      await store.outbox.add([...messages, long]);
      const ids = idsOf(messages);
      await claim(after(100), { limit: 4, long: { limit: 0 } });
      // Two that are claimed, and one that no node has yet.
      await store.outbox.letWait([ids[0]!, ids[1]!, ids[4]!], { turn: -7, owner: 'node-a', availableAt: after(50) });
      await otherNode.outbox.letWait([ids[3]!], { turn: -2, owner: 'node-a', availableAt: after(60) });
      // Another node's, a dead letter, and one that is gone.
      await store.outbox.letWait([ids[2]!], { turn: -7, owner: 'node-b', availableAt: T0 });
      await store.outbox.moveToDeadLetters(ids[2]!, 'never');
      await store.outbox.letWait([ids[2]!, uid('absent')], { turn: -3, owner: 'node-a', availableAt: T0 });
      await store.outbox.letWait([], { turn: -3, owner: 'node-a', availableAt: T0 });

      const waiting = [
        { turn: -7, limit: 2 },
        { turn: -2, limit: 2 },
        { turn: -1, limit: 2 },
      ];
      const all = { limit: 9, long: { limit: 9 }, owner: 'node-c', node: otherNode };
      expect(idsOf(await claim(after(49), { ...all, waiting }))).toEqual([ids[5], long.id]);
      const claimed = await claim(after(60), { ...all, waiting });
      const first = { ...messages[0], turn: -7, availableAt: after(50) };
      expect(claimed[0]).toEqual(first);
      expect(idsOf(claimed)).toEqual([ids[0], ids[1], ids[3]]);
      expect(await claim(after(60), { limit: 9, long: { limit: 9 }, waiting: [{ turn: -7, limit: 0 }] })).toEqual([]);
      // Without lanes they are in the one line by time: nodes of an earlier version serve them, too.
      expect(idsOf(await claim(after(60)))).toEqual([ids[4]]);
      // A node that dies with one leaves it where it was, and counted.
      const again = await claim(after(LEASE + 60), { limit: 0, long: { limit: 0 }, waiting: [{ turn: -7, limit: 1 }] });
      expect(again).toEqual([{ ...first, attempts: 1 }]);
    });

    it('ends the wait of the messages for one instance', async () => {
      const { store, otherNode } = context;
      await drain();
      const workflowInstanceId = uid('instance');
      const of = { workflowInstanceId, availableAt: after(5) };
      const [first, second, elsewhere, dead, claimed, others] = [
        aMessage({ ...of, turn: -8 }),
        aMessage({ ...of, turn: -8 }),
        aMessage({ ...of, turn: -9 }),
        aMessage({ ...of, turn: -8 }),
        aMessage({ ...of, turn: -8, availableAt: T0 }),
        aMessage({ turn: -8, availableAt: after(5), workflowInstanceId: uid('instance') }),
      ];
      await store.outbox.add([first, second, elsewhere, dead, claimed, others]);
      await store.outbox.moveToDeadLetters(dead.id, 'never');
      const waiting = [{ turn: -8, limit: 9 }];
      const lanes = { limit: 9, long: { limit: 0 } };
      expect(idsOf(await claim(T0, { ...lanes, waiting }))).toEqual([claimed.id]);
      expect(await otherNode.outbox.endWait(workflowInstanceId, -8, after(20))).toBe(2);
      expect(await otherNode.outbox.endWait(workflowInstanceId, -8, after(20))).toBe(0);
      expect(await store.outbox.endWait(uid('instance'), -8, after(20))).toBe(0);
      expect(await claim(after(19), lanes)).toEqual([]);
      const woken = [first, second].map((message) => ({ ...message, turn: undefined, availableAt: after(20) }));
      expect(await claim(after(20), lanes)).toEqual(woken);
      expect(idsOf(await claim(after(20), { ...lanes, waiting }))).toEqual([others.id]);
    });

    it('ends the pauses of messages for one instance', async () => {
      const { store, otherNode } = context;
      await drain();
      const { outbox } = store;
      const workflowInstanceId = uid('instance');
      const [put, claimed, other, foreign, dead] = [
        ...[0, 1].map(() => aMessage({ kind: 'paused', workflowInstanceId })),
        aMessage({ kind: 'other', workflowInstanceId }),
        aMessage({ kind: 'paused', workflowInstanceId: uid('instance') }),
        aMessage({ kind: 'paused', workflowInstanceId }),
      ];
      await outbox.add([put!, claimed!, other!, foreign!, dead!]);
      await outbox.moveToDeadLetters(dead!.id, 'it never worked');
      const headStart = { availableAt: after(LEASE), writtenBy: 'node-a' };
      const fresh = aMessage({ kind: 'paused', workflowInstanceId, ...headStart });
      await outbox.add([fresh]);
      for (const { id } of [put!, other!, foreign!]) await outbox.postpone(id, after(LEASE));
      expect(idsOf(await claim(T0))).toEqual([claimed!.id]);
      const end = () => otherNode.outbox.endPauses!(workflowInstanceId, ['paused', 'never'], after(5));
      expect([await end(), await end()]).toEqual([1, 0]);
      expect(await claim(after(4))).toEqual([]);
      expect(idsOf(await claim(after(5)))).toEqual([put!.id]);
      expect(await outbox.endPauses!(uid('absent'), ['paused'], T0)).toBe(0);
      for (const { id } of [put!, claimed!, other!, foreign!, dead!, fresh]) await outbox.delete(id);
    });

    it('reports the turns at which messages wait', async () => {
      const { store } = context;
      await drain();
      expect(await store.outbox.findWaitingTurns(9)).toEqual([]);
      const turns = [-1, -2147483647, -40, -40, -40, -5, 0, 3];
      const messages = turns.map((turn) => aMessage({ turn: turn || undefined, availableAt: after(5) }));
      await store.outbox.add(messages);
      // Those that are claimed, and may come back, are among them; dead letters are not.
      await claim(after(5), { limit: 0, long: { limit: 0 }, waiting: [{ turn: -5, limit: 1 }] });
      await store.outbox.moveToDeadLetters(messages[0]!.id, 'never');
      expect(await store.outbox.findWaitingTurns(9)).toEqual([-2147483647, -40, -5]);
      expect(await store.outbox.findWaitingTurns(2)).toEqual([-2147483647, -40]);
      expect(await store.outbox.findWaitingTurns(2, -2147483647)).toEqual([-40, -5]);
      expect(await store.outbox.findWaitingTurns(2, -5)).toEqual([]);
    });

    it('reports when the next message of a turn was created', async () => {
      const { store } = context;
      await drain();
      expect(await store.outbox.oldestAt(-11)).toBeUndefined();
      const messages = [7, 3].map((ms) => aMessage({ turn: -11, createdAt: after(ms), availableAt: after(ms + 50) }));
      await store.outbox.add([...messages, aMessage({ turn: -12, createdAt: after(1) })]);
      expect(await store.outbox.oldestAt(-11)).toEqual(after(3));
      // Also while it is claimed; dead letters wait for nothing.
      await claim(after(60), { limit: 0, long: { limit: 0 }, waiting: [{ turn: -11, limit: 2 }] });
      expect(await store.outbox.oldestAt(-11)).toEqual(after(7));
      for (const { id } of messages) await store.outbox.moveToDeadLetters(id, 'never');
      expect(await store.outbox.oldestAt(-11)).toBeUndefined();
    });

    it('gives concurrent claimers of one turn disjoint sets', async () => {
      const { store, otherNode } = context;
      await drain();
      const messages = Array.from({ length: 40 }, () => aMessage({ turn: -9 }));
      await store.outbox.add(messages);
      const take = (n: number) =>
        claim(T0, {
          limit: 0,
          long: { limit: 0 },
          waiting: [{ turn: -9, limit: 5 }],
          owner: `n-${n}`,
          node: n % 2 ? store : otherNode,
        });
      const ids = (await Promise.all(Array.from({ length: 8 }, (_, n) => take(n)))).flatMap(idsOf);
      expect(new Set(ids).size).toBe(ids.length);
      while (ids.length < messages.length) {
        const more = idsOf(await take(0));
        expect(more.length).toBeGreaterThan(0);
        ids.push(...more);
      }
      expect(ids.sort()).toEqual(idsOf(messages).sort());
    });
  });
}
