import type { FanOut, OutboxMessage } from '@waymark/runtime/adapter';
import type { StoredBookmark } from '@waymark/runtime';
import { aBookmark, aBurst, after, aMessage, anInstance, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

const FAR_OFF = new Date('2090-01-01T00:00:00Z');

/** `OutboxStore.fanOut`, and how many bookmarks are read. */
export function fanOutsContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  const aFanOut = (given: Partial<FanOut> & Pick<FanOut, 'filter'>): FanOut => ({
    id: uid('fan-out'),
    kind: 'resume-bookmark',
    payload: {},
    createdAt: T0,
    availableAt: after(7),
    exceptBookmarkIds: [],
    messages: [],
    ...given,
  });

  /** So many instances wait, the oldest first. */
  async function waiting(count: number, given: Partial<StoredBookmark> = {}): Promise<StoredBookmark[]> {
    const rows: StoredBookmark[] = [];
    for (let n = 0; n < count; n++) {
      const instance = anInstance();
      const row = aBookmark(instance.id, { createdAt: after(n), ...given });
      await context.store.commit(aBurst(instance, { addedBookmarks: [row] }));
      rows.push(row);
    }
    return rows;
  }

  /** Takes what there is. */
  async function emptied(): Promise<OutboxMessage[]> {
    const { outbox } = context.store;
    const all: OutboxMessage[] = [];
    for (;;) {
      const claimed = await outbox.claim({ owner: 'node-a', limit: 100, leaseMs: 30_000, now: FAR_OFF });
      if (claimed.length === 0) return all;
      for (const { id } of claimed) await outbox.delete(id);
      all.push(...claimed);
    }
  }

  describe('fan-outs', () => {
    it('write a message for each bookmark that matches, in the order of their age', async () => {
      const { store } = context;
      await emptied();
      const hash = uid('hash');
      const rows = await waiting(5, { hash });
      await waiting(1);
      const payload = { input: { at: after(1), big: 2n ** 70n, text: 'žluťoučký "kůň" \\ \' ? $1', none: undefined } };
      const fanOut = aFanOut({ filter: { hash }, payload });
      expect(await store.outbox.fanOut(fanOut)).toBe(5);
      const messages = await emptied();
      expect(messages).toEqual(
        rows.map((row, n) =>
          aMessage({
            id: `${fanOut.id}/${n + 1}`,
            kind: 'resume-bookmark',
            workflowInstanceId: row.workflowInstanceId,
            payload: { ...payload, bookmarkId: row.id },
            createdAt: T0,
            availableAt: after(7),
          }),
        ),
      );
    });

    it('write the ids of bookmarks unchanged, whatever characters they contain', async () => {
      const { store } = context;
      await emptied();
      const hash = uid('hash');
      const id = `${uid('id')} "quoted" \\ back/slash ' ? $1 {x} žluť \u{1F40E} \t`.padEnd(255, 'x').slice(0, 255);
      const [row] = await waiting(1, { hash, id });
      await store.outbox.fanOut(aFanOut({ filter: { hash } }));
      expect((await emptied()).map(({ payload }) => payload)).toEqual([{ bookmarkId: row!.id }]);
    });

    it('leave out the bookmarks whose messages they are given, which come first', async () => {
      const { store } = context;
      await emptied();
      const hash = uid('hash');
      const [first, second, third] = await waiting(3, { hash });
      const own = [first!, second!].map((row) => aMessage({ availableAt: after(7), payload: { bookmarkId: row.id } }));
      const exceptBookmarkIds = [first!.id, second!.id];
      expect(await store.outbox.fanOut(aFanOut({ filter: { hash }, exceptBookmarkIds, messages: own }))).toBe(1);
      expect((await emptied()).map(({ payload }) => payload)).toEqual(
        [first!, second!, third!].map(({ id }) => ({ bookmarkId: id })),
      );
    });

    it('consume the message that causes them, or write nothing when it is gone', async () => {
      const { store } = context;
      await emptied();
      const hash = uid('hash');
      await waiting(2, { hash });
      const cause = aMessage();
      await store.outbox.add([cause]);
      const fanOut = aFanOut({ filter: { hash }, consumedMessageId: cause.id });
      expect(await store.outbox.fanOut(fanOut)).toBe(2);
      expect((await emptied()).map(({ id }) => id)).toEqual([`${fanOut.id}/1`, `${fanOut.id}/2`]);
      const again = store.outbox.fanOut({ ...fanOut, id: uid('fan-out'), messages: [aMessage()] });
      await expect(again).rejects.toMatchObject({ code: 'WM7004', messageId: cause.id });
      expect(await emptied()).toEqual([]);
    });

    it('leave the message that causes them, and write no other one, when they are only for some and none waits', async () => {
      const { store } = context;
      await emptied();
      const hash = uid('hash');
      const cause = aMessage();
      await store.outbox.add([cause]);
      const own = aMessage({ availableAt: after(7) });
      const fanOut = aFanOut({ filter: { hash }, consumedMessageId: cause.id, messages: [own], isForSome: true });
      expect(await store.outbox.fanOut(fanOut)).toBe(0);
      expect(await store.outbox.find(cause.id)).toEqual(cause);
      expect(await store.outbox.find(own.id)).toBeUndefined();
      await waiting(1, { hash });
      expect(await store.outbox.fanOut(fanOut)).toBe(1);
      expect((await emptied()).map(({ id }) => id)).toEqual([own.id, `${fanOut.id}/1`]);
      const again = store.outbox.fanOut({ ...fanOut, id: uid('fan-out'), filter: { hash: uid('absent') } });
      await expect(again).rejects.toMatchObject({ code: 'WM7004', messageId: cause.id });
    });

    it('are known by their ids as long as a message of them is left, also as a dead letter', async () => {
      const { outbox } = context.store;
      await emptied();
      const hash = uid('hash');
      await waiting(2, { hash });
      const fanOut = aFanOut({ filter: { hash } });
      const own = aMessage({ id: fanOut.id, kind: 'shared-input', payload: { text: 'x'.repeat(100_000) } });
      const neighbours = [`${fanOut.id}.1`, `${fanOut.id}0`, `${fanOut.id}-1`].map((id) => aMessage({ id }));
      await outbox.fanOut({ ...fanOut, messages: [own, ...neighbours] });
      expect(await outbox.find(fanOut.id)).toEqual(own);
      await outbox.moveToDeadLetters(`${fanOut.id}/1`, 'failed');
      await outbox.delete(`${fanOut.id}/2`);
      expect([await outbox.hasFanOut(fanOut.id), await outbox.hasFanOut(fanOut.id.slice(0, -1))]).toEqual([
        true,
        false,
      ]);
      expect(await outbox.find(`${fanOut.id}/1`)).toMatchObject({ lastError: 'failed', attempts: 1 });
      await outbox.delete(`${fanOut.id}/1`);
      expect([await outbox.hasFanOut(fanOut.id), await outbox.find(`${fanOut.id}/1`)]).toEqual([false, undefined]);
      await emptied();
    });

    it('write nothing when no instance waits, and refuse a filter without conditions', async () => {
      const { store } = context;
      expect(await store.outbox.fanOut(aFanOut({ filter: { hash: uid('absent') } }))).toBe(0);
      await expect(store.outbox.fanOut(aFanOut({ filter: {} }))).rejects.toMatchObject({ code: 'WM7008' });
    });

    it('are deleted with their instance', async () => {
      const { store } = context;
      await emptied();
      const hash = uid('hash');
      const [deleted, kept] = await waiting(2, { hash });
      await store.outbox.fanOut(aFanOut({ filter: { hash } }));
      await store.instances.delete([deleted!.workflowInstanceId]);
      expect((await emptied()).map(({ workflowInstanceId }) => workflowInstanceId)).toEqual([kept!.workflowInstanceId]);
    });

    it('need not be read: only the oldest bookmarks are found, up to the limit', async () => {
      const { store } = context;
      const [hash, correlationId] = [uid('hash'), uid('correlation')];
      const rows = await waiting(4, { hash, correlationId });
      for (const filter of [{ hash }, { hash, correlationId }, { correlationId }]) {
        expect(await store.bookmarks.findMany(filter, 3)).toEqual(rows.slice(0, 3));
        expect(await store.bookmarks.findMany(filter, 5)).toEqual(rows);
        expect(await store.bookmarks.findMany(filter)).toEqual(rows);
      }
    });
  });
}
