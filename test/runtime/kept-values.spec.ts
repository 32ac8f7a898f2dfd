import { afterAll, expect, it } from '@jest/globals';
import { MemoryPersistence, type WorkflowPersistence } from '@waymark/runtime';
import type { WorkflowExecutionLogEntry } from '@waymark/core';
import { OmittedJournalValue } from '@waymark/runtime/adapter';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';

const CHARS = 100_000;
/** Two and a half of them. */
const MOST = 250_000;
const large = (letter: string) => letter.repeat(CHARS);

let instances = 0;
const newInstance = () => anInstanceOf(`instance-${++instances}`);

/** What an instance has said, in the order of the numbers. */
const entry = (sequence: number, text: string): WorkflowExecutionLogEntry => ({
  activityInstanceId: 'context',
  activityId: 'W',
  activityNodeId: 'S:W',
  activityType: 'Elsa.WriteLine',
  activityTypeVersion: 1,
  timestamp: new Date('2026-03-01T10:20:30.123Z'),
  sequence,
  eventName: 'Logged',
  payload: { text },
});

describeOn(await testBackends(...EVERY_STORE), 'large values of one journal on $name', (backend) => {
  const open = async (maxJournalBytes: number): Promise<WorkflowPersistence> => {
    if (backend.name === 'memory') return new MemoryPersistence({ maxJournalBytes });
    const store = await backend.create({ maxJournalBytes });
    await store.initialize();
    return store;
  };
  afterAll(() => backend.drop());

  /** A burst for each text, which its journal and its state have. */
  async function commitEach(store: WorkflowPersistence, texts: readonly string[], instance = newInstance()) {
    for (const [burst, text] of texts.entries())
      await store.commit(
        aBurstOf(
          { ...instance, state: { ...instance.state, properties: { text } } },
          {
            ...(burst > 0 && { expectedRevision: burst }),
            journal: { log: [entry(burst + 1, text)], records: [] },
          },
        ),
      );
    return instance.id;
  }
  const textsIn = async (store: WorkflowPersistence, id: string): Promise<unknown[]> =>
    (await store.journal.readLog(id)).map(({ payload }) => {
      const { text } = payload as { text: unknown };
      if (text instanceof OmittedJournalValue) return text.kind;
      return (text as string)[0];
    });

  it('large values are kept up to the limit, and each further one has a note in its place', async () => {
    const store = await open(MOST);
    const id = await commitEach(store, ['a', 'b', 'c', 'a', 'd'].map(large));
    expect(await textsIn(store, id)).toEqual(['a', 'b', 'text', 'a', 'text']);
    const { payload } = (await store.journal.readLog(id))[2]!;
    const { bytes, start, hash } = (payload as { text: OmittedJournalValue }).text;
    expect([bytes, start]).toEqual([CHARS + '{"json":""}'.length, `"${'c'.repeat(199)}`]);
    expect((await store.journal.readValues(id, [hash])).get(hash)).toBeInstanceOf(OmittedJournalValue);
    await store.close();
  });

  it('large values are limited for each instance by itself, and never left out of its state', async () => {
    const store = await open(MOST);
    const ids = [await commitEach(store, ['a', 'b', 'c'].map(large)), await commitEach(store, ['d', 'e'].map(large))];
    expect(await textsIn(store, ids[1]!)).toEqual(['d', 'e']);
    const loaded = await store.instances.load(ids[0]!);
    expect((loaded!.state.properties as { text: string }).text).toBe(large('c'));
    await store.close();
  });

  it('large values are counted again by a node that does not know what others have written', async () => {
    const [store, instance] = [await open(MOST), newInstance()];
    await commitEach(store, ['a', 'b'].map(large), instance);
    const other = backend.name === 'memory' ? store : await open(MOST);
    await other.commit(
      aBurstOf(instance, {
        expectedRevision: 2,
        journal: { log: [entry(3, large('c'))], records: [] },
      }),
    );
    expect(await textsIn(other, instance.id)).toEqual(['a', 'b', 'text']);
    await store.close();
    await other.close();
  });

  it('large values of an instance that another node has deleted are not counted for one that gets its id', async () => {
    const [store, instance] = [await open(MOST), newInstance()];
    await commitEach(store, ['a', 'b'].map(large), instance);
    const other = backend.name === 'memory' ? store : await open(MOST);
    await other.instances.delete([instance.id]);
    const next = { ...instance, createdAt: new Date(instance.createdAt.getTime() + 60_000) };
    await other.commit(aBurstOf(next, {}));
    await store.commit(aBurstOf(next, { expectedRevision: 1, journal: { log: [entry(1, large('c'))], records: [] } }));
    expect(await textsIn(store, instance.id)).toEqual(['c']);
    await store.close();
    await other.close();
  });

  it('large values are limited in an import, too', async () => {
    const store = await open(MOST);
    const instance = newInstance();
    await store.commit(aBurstOf(instance, {}));
    const log = ['a', 'b', 'c'].map((letter, n) => entry(n + 1, large(letter)));
    await store.journal.append(instance.id, { log, records: [] });
    const texts = await textsIn(store, instance.id);
    expect(texts.filter((text) => text === 'text')).toHaveLength(1);
    await store.close();
  });

  it('large values have notes only where the limit is 0', async () => {
    const store = await open(0);
    const id = await commitEach(store, ['a', 'b'].map(large));
    expect(await textsIn(store, id)).toEqual(['text', 'text']);
    await store.close();
  });
});

it.each([-1, 1.5, Infinity, Number.NaN])('a limit of %d bytes for large values of a journal is refused', (given) => {
  expect(() => new MemoryPersistence({ maxJournalBytes: given })).toThrow(/maxJournalBytes/);
});
