import { JournalReference } from '@waymark/runtime/adapter';
import { aBurst, after, aLogEntry, anInstance, aRecord, uid } from '../builders.js';
import type { ContractContext } from './contract-context.js';

/** Far beyond what any store writes in place. */
const large = (letter: string) => letter.repeat(100_000);

/** What a journal does not write twice: parts that did not change, and large values. */
export function journalValuesContract(context: ContractContext): void {
  const { describe, it, expect } = context.framework;

  describe('parts of records that did not change', () => {
    it('are those of the preceding record, however many follow', async () => {
      const { store, otherNode } = context;
      const instance = anInstance();
      const first = aRecord({ activityState: { Items: [1, after(2)] }, outputs: { Result: null } });
      await store.commit(aBurst(instance, { journal: { log: [], records: [first] } }));
      const { activityState: _state, outputs: _outputs, ...rest } = first;
      const parts = ['activityState', 'outputs'] as const;
      for (let burst = 1; burst <= 3; burst++)
        await store.commit(
          aBurst(instance, {
            expectedRevision: burst,
            journal: { log: [], records: [{ ...rest, properties: { burst }, unchanged: parts }] },
          }),
        );
      expect(await otherNode.journal.readRecords(instance.id)).toEqual([{ ...first, properties: { burst: 3 } }]);
      const changed = { ...rest, outputs: { Result: 1 }, unchanged: ['activityState'] as const };
      await store.commit(aBurst(instance, { expectedRevision: 4, journal: { log: [], records: [changed] } }));
      expect(await otherNode.journal.readRecords(instance.id)).toEqual([{ ...first, outputs: { Result: 1 } }]);
    });

    it('do not come back in a record that is written as a whole', async () => {
      const { store } = context;
      const instance = anInstance();
      const first = aRecord({ activityState: { a: 1 }, outputs: { b: 1 } });
      const { activityState: _state, outputs: _outputs, ...whole } = first;
      await store.commit(aBurst(instance, { journal: { log: [], records: [first] } }));
      await store.commit(aBurst(instance, { expectedRevision: 1, journal: { log: [], records: [whole] } }));
      expect(await store.journal.readRecords(instance.id)).toEqual([whole]);
    });

    it('are missing where no record came before', async () => {
      const id = uid('imported');
      const record = aRecord({ activityState: { a: 1 } });
      await context.store.journal.append(id, { log: [], records: [{ ...record, unchanged: ['activityState'] }] });
      const { activityState: _state, ...rest } = record;
      expect(await context.store.journal.readRecords(id)).toEqual([rest]);
    });
  });

  describe('large values in the journal', () => {
    const commitLarge = async (Text: unknown = large('a')) => {
      const instance = anInstance();
      const log = [
        aLogEntry(1, { payload: { small: 1, Text } }),
        aLogEntry(2, { payload: { deep: { at: after(1), Text } } }),
      ];
      const records = [aRecord({ activityState: { Text, at: after(1) }, properties: { Other: large('b') } })];
      await context.store.commit(aBurst(instance, { journal: { log, records } }));
      return { instance, log, records };
    };
    const referencesIn = (value: unknown): JournalReference[] => {
      if (value instanceof JournalReference) return [value];
      return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
    };

    it('are read as they were given', async () => {
      const { journal } = context.otherNode;
      for (const value of [large('ä'), { list: [new Set([after(1)]), large('"')] }, new Map([[1n, large('\\')]])]) {
        const { instance, log, records } = await commitLarge(value);
        expect(await journal.readLog(instance.id)).toEqual(log);
        expect(await journal.readRecords(instance.id)).toEqual(records);
        expect(await journal.readLogPage(instance.id, { skip: 1, take: 1 })).toEqual({
          items: [log[1]],
          totalCount: 2,
        });
      }
    });

    it('are named by their content, once for each instance', async () => {
      const { journal } = context.otherNode;
      const { instance, records } = await commitLarge();
      await context.store.commit(
        aBurst(instance, {
          expectedRevision: 1,
          journal: { log: [aLogEntry(3, { payload: { Text: large('a') } })], records },
        }),
      );
      const log = await journal.readLog(instance.id, { valueBytes: 0 });
      const references = referencesIn([log, await journal.readRecords(instance.id, { valueBytes: 0 })]);
      expect(references).toHaveLength(5);
      const [first] = references;
      expect(/^[0-9a-f]{64}$/.test(first!.hash)).toBe(true);
      expect(references.filter(({ hash }) => hash === first!.hash)).toHaveLength(4);
      expect(first!.bytes > 100_000 && first!.bytes < 100_100).toBe(true);
      expect(await journal.readValues(instance.id, [first!.hash, 'none'])).toEqual(
        new Map([[first!.hash, large('a')]]),
      );
      expect(await journal.readValues(anInstance().id, [first!.hash])).toEqual(new Map());
    });

    it('are left as references beyond what the reader asks for', async () => {
      const { journal } = context.store;
      const { instance, log, records } = await commitLarge();
      const read = await journal.readRecords(instance.id, { valueBytes: 150_000 });
      const [reference] = referencesIn(read);
      // The properties come first in a record that was read from a database, and the inputs in one that was made here.
      expect(referencesIn(read)).toHaveLength(1);
      expect(await journal.readLog(instance.id, { valueBytes: 150_000 })).toEqual(log);
      const values = await journal.readValues(instance.id, [reference!.hash]);
      expect([large('a'), large('b')].includes(values.get(reference!.hash) as string)).toBe(true);
      expect(await journal.readRecords(instance.id, { valueBytes: 250_000 })).toEqual(records);
    });

    it('are a whole bag where all of its members are small', async () => {
      const { journal } = context.store;
      const activityState = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`member${n}`, `value ${n}`]));
      const instance = anInstance();
      const records = [aRecord({ activityState })];
      await context.store.commit(aBurst(instance, { journal: { log: [], records } }));
      const [light] = await journal.readRecords(instance.id, { valueBytes: 0 });
      expect(light!.activityState instanceof JournalReference).toBe(true);
      expect(await journal.readRecords(instance.id)).toEqual(records);
    });

    it('are distinguished from values that look like their placeholders', async () => {
      const { journal } = context.store;
      const { instance, log } = await commitLarge();
      const [reference] = referencesIn(await journal.readLog(instance.id, { valueBytes: 0 }));
      const payload = {
        Text: { _type: 'JournalReference', hash: reference!.hash, bytes: reference!.bytes },
        Large: large('c'),
      };
      const entry = aLogEntry(3, { payload });
      await context.store.commit(aBurst(instance, { expectedRevision: 1, journal: { log: [entry], records: [] } }));
      expect(await journal.readLog(instance.id)).toEqual([...log, entry]);
    });

    it('are kept with an unchanged part, and go with their instance', async () => {
      const { store } = context;
      const { instance, records } = await commitLarge();
      const [record] = records;
      const { activityState: _state, ...rest } = record!;
      const next = [{ ...rest, unchanged: ['activityState'] as const }];
      await store.commit(aBurst(instance, { expectedRevision: 1, journal: { log: [], records: next } }));
      expect(await store.journal.readRecords(instance.id)).toEqual(records);
      const [reference] = referencesIn(await store.journal.readLog(instance.id, { valueBytes: 0 }));
      await store.instances.delete([instance.id]);
      expect(await store.journal.readValues(instance.id, [reference!.hash])).toEqual(new Map());
      expect(await store.journal.readRecords(instance.id)).toEqual([]);
    });

    it('are taken by an import, and deleted where there is no instance', async () => {
      const { store } = context;
      const id = uid('imported');
      const log = [aLogEntry(1, { payload: { Text: large('d') } })];
      await store.journal.append(id, { log, records: [] });
      expect(await store.journal.readLog(id)).toEqual(log);
      const { instance, log: kept } = await commitLarge();
      // Some number of calls goes through all instances that have values.
      while ((await store.journal.purgeOrphanedValues(2)) === 2);
      expect(await store.journal.readLog(instance.id)).toEqual(kept);
    });
  });
}
