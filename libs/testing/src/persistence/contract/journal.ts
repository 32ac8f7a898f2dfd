import { aBurst, after, aLogEntry, anInstance, aRecord, T0, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** `JournalStore`: chunks of many bursts read as one journal. */
export function journalContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('journal', () => {
    it('is empty for an instance that wrote none', async () => {
      const id = uid('absent');
      expect(await context.store.journal.readLog(id)).toEqual([]);
      expect(await context.store.journal.readRecords(id)).toEqual([]);
      expect(await context.store.journal.readLogPage(id, { skip: 0, take: 5 })).toEqual({ items: [], totalCount: 0 });
    });

    it('merges the chunks; the latest state of a record counts, at the place of its start', async () => {
      const { store } = context;
      const instance = anInstance();
      const first = aRecord({ startedAt: after(1) });
      const second = aRecord({ startedAt: after(2), payload: { outcomes: ['Done'] }, outputs: { at: after(3) } });
      await store.commit(
        aBurst(instance, { journal: { log: [aLogEntry(1), aLogEntry(2)], records: [first, second] } }),
      );
      await store.commit(aBurst(instance, { expectedRevision: 1 }));
      const completed = { ...first, status: 'Completed' as const, completedAt: after(50) };
      const third = aRecord({ startedAt: after(40) });
      await store.commit(
        aBurst(instance, { expectedRevision: 2, journal: { log: [aLogEntry(3)], records: [third, completed] } }),
      );
      expect(await store.journal.readRecords(instance.id)).toEqual([completed, second, third]);
      const log = await store.journal.readLog(instance.id);
      expect(log).toEqual([1, 2, 3].map((sequence) => aLogEntry(sequence)));
    });

    it('keeps a chunk that has records and no log', async () => {
      const instance = anInstance();
      const record = aRecord();
      await context.store.commit(aBurst(instance, { journal: { log: [], records: [record] } }));
      expect(await context.store.journal.readRecords(instance.id)).toEqual([record]);
      expect(await context.store.journal.readLog(instance.id)).toEqual([]);
    });

    it('takes what a burst adds whole, beyond what a server takes in one packet', async () => {
      const { store } = context;
      const instance = anInstance();
      const Text = 'x'.repeat(100_000);
      const log = Array.from({ length: 200 }, (_, n) => aLogEntry(n + 1, { payload: { Text } }));
      const at = (n: number) => after(n * 10);
      const records = Array.from({ length: 200 }, (_, n) => aRecord({ startedAt: at(n), activityState: { Text } }));
      await store.commit(aBurst(instance, { journal: { log, records } }));
      expect((await store.journal.readLog(instance.id)).map(({ sequence }) => sequence)).toEqual(
        log.map((e) => e.sequence),
      );
      expect((await store.journal.readRecords(instance.id)).map(({ id }) => id)).toEqual(records.map(({ id }) => id));
      const page = await store.journal.readLogPage(instance.id, { skip: 150, take: 2 });
      expect([page.totalCount, page.items]).toEqual([200, log.slice(150, 152)]);
    });

    it('says which instances wrote into it since, on any node, in order', async () => {
      const { store, otherNode } = context;
      const [first, second] = [anInstance(), anInstance()];
      await store.commit(aBurst(anInstance(), { journal: { log: [aLogEntry(1)], records: [] } }));
      const before = await otherNode.journal.lastWrite();
      expect(before).toBeGreaterThan(0);
      expect(await otherNode.journal.findWrites(before, 10)).toEqual([]);
      await store.commit(aBurst(first, { journal: { log: [aLogEntry(1)], records: [] } }));
      await store.commit(aBurst(second, { journal: { log: [], records: [aRecord()] } }));
      // A commit without a journal leaves no trace in it.
      await store.commit(aBurst(second, { expectedRevision: 1 }));
      await store.commit(aBurst(first, { expectedRevision: 1, journal: { log: [aLogEntry(2)], records: [] } }));
      const writes = await otherNode.journal.findWrites(before, 10);
      const ids = [first.id, second.id, first.id];
      expect(writes.map(({ workflowInstanceId }) => workflowInstanceId)).toEqual(ids);
      expect(writes.at(-1)!.number).toBe(await otherNode.journal.lastWrite());
      expect(await otherNode.journal.findWrites(before, 2)).toEqual(writes.slice(0, 2));
      expect(await otherNode.journal.findWrites(writes[0]!.number, 10)).toEqual(writes.slice(1));
    });

    it('is paged across chunks', async () => {
      const { store } = context;
      const instance = anInstance();
      let sequence = 0;
      for (let burst = 0; burst < 6; burst++) {
        const log = Array.from({ length: burst }, () => aLogEntry(++sequence));
        const expectedRevision = burst === 0 ? undefined : burst;
        await store.commit(aBurst(instance, { expectedRevision, journal: { log, records: [] } }));
      }
      const all = await store.journal.readLog(instance.id);
      expect(all.map((entry) => entry.sequence)).toEqual(Array.from({ length: 15 }, (_, n) => n + 1));
      for (const [skip, take] of [
        [0, 4],
        [2, 3],
        [5, 1],
        [13, 10],
        [15, 3],
        [0, 100],
        [3, 0],
      ] as const) {
        const page = await store.journal.readLogPage(instance.id, { skip, take });
        expect(page).toEqual({ items: all.slice(skip, skip + take), totalCount: 15 });
      }
    });

    it('is read in parts: its chunks in the order in which they were written, and of those only what is asked for', async () => {
      const { store } = context;
      const [instance, other] = [anInstance(), anInstance()];
      expect(await store.journal.findChunks(instance.id)).toEqual([]);
      const chunks = [
        { log: [aLogEntry(1), aLogEntry(2)], records: [aRecord({ activityState: { a: 1 } })] },
        { log: [], records: [aRecord()] },
        { log: [aLogEntry(3)], records: [aRecord({ outputs: { at: T0 } })] },
      ];
      for (const [burst, journal] of chunks.entries())
        await store.commit(aBurst(instance, { expectedRevision: burst || undefined, journal }));
      await store.commit(aBurst(other, { journal: { log: [aLogEntry(1)], records: [] } }));
      // Brought later, though it happened before.
      await store.journal.append(instance.id, { log: [aLogEntry(0)], records: [] });
      const places = await context.otherNode.journal.findChunks(instance.id);
      expect(
        places.map(({ entryCount, firstSequence, lastSequence }) => [entryCount, firstSequence, lastSequence]),
      ).toEqual([
        [2, 1, 2],
        [0, Infinity, -Infinity],
        [1, 3, 3],
        [1, 0, 0],
      ]);
      const [first, second, third] = places.map(({ id }) => id);
      expect(await store.journal.readChunks(instance.id, [third!, first!])).toEqual([chunks[0], chunks[2]]);
      expect(await store.journal.readChunks(instance.id, [second!])).toEqual([chunks[1]]);
      expect(await store.journal.readChunks(instance.id, [])).toEqual([]);
      await store.instances.delete([instance.id]);
      expect(await store.journal.readChunks(instance.id, [first!])).toEqual([]);
      expect(await store.journal.findChunks(instance.id)).toEqual([]);
    });

    it('is paged where an import has brought what an earlier one lacked', async () => {
      const { store } = context;
      const id = uid('filled');
      await store.journal.append(id, { log: [aLogEntry(1), aLogEntry(3), aLogEntry(4)], records: [] });
      await store.journal.append(id, { log: [aLogEntry(2)], records: [] });
      const log = await store.journal.readLog(id);
      expect(log.map((entry) => entry.sequence)).toEqual([1, 2, 3, 4]);
      for (const [skip, take] of [
        [1, 2],
        [1, 1],
        [2, 5],
        [4, 1],
      ] as const) {
        const page = await store.journal.readLogPage(id, { skip, take });
        expect(page).toEqual({ items: log.slice(skip, skip + take), totalCount: 4 });
      }
    });

    it('takes imported chunks, in any order and more than once', async () => {
      const { store } = context;
      const id = uid('imported');
      await store.journal.append(id, { log: [aLogEntry(4), aLogEntry(5)], records: [] });
      await store.journal.append(id, { log: [aLogEntry(1), aLogEntry(2), aLogEntry(3)], records: [aRecord()] });
      await store.journal.append(id, {
        log: [aLogEntry(2, { message: 'again' }), aLogEntry(3), aLogEntry(4)],
        records: [],
      });
      const log = await store.journal.readLog(id);
      expect(log.map((entry) => entry.sequence)).toEqual([1, 2, 3, 4, 5]);
      expect(log[1]?.message).toBe('again');
      expect(await store.journal.readLogPage(id, { skip: 1, take: 3 })).toEqual({
        items: log.slice(1, 4),
        totalCount: 5,
      });
    });
  });
}
