import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import { executionNumber, ExecutionSet } from './execution-ids.js';
import { JournalScan } from './journal-scan.js';
import { MemoryPersistence } from './memory/memory-persistence.js';
import { NumberSet } from './number-set.js';

const AT = 1_800_000_000_000;
const ACTIVITY = { activityId: 'A', activityNodeId: 'W:A', activityType: 'Test.A', activityTypeVersion: 1 };
const ID = 'an-instance';

const aRecord = (n: number | string, more: Partial<ActivityExecutionRecord> = {}): ActivityExecutionRecord => ({
  ...{ id: typeof n === 'string' ? n : `${ID}-${n.toString(36)}`, ...ACTIVITY, properties: {}, metadata: {} },
  ...{ startedAt: new Date(AT), hasBookmarks: false, status: 'Running', aggregateFaultCount: 0, callStackDepth: 0 },
  ...more,
});
const anEntry = (sequence: number, message?: string): WorkflowExecutionLogEntry => ({
  ...{ sequence, activityInstanceId: 'e', ...ACTIVITY, timestamp: new Date(AT), eventName: 'Started' },
  ...(message === undefined ? {} : { message }),
});

/** A journal with these chunks, and how many of them were read at a time. */
async function scanOf(chunks: readonly JournalChunk[]) {
  const { journal } = new MemoryPersistence();
  for (const chunk of chunks) await journal.append(ID, chunk);
  const read: number[] = [];
  const readChunks = journal.readChunks.bind(journal);
  journal.readChunks = async (id, ids) => {
    read.push(ids.length);
    return readChunks(id, ids);
  };
  return { scan: await JournalScan.of(journal, ID), read };
}
const all = async <T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> => {
  const found: T[] = [];
  for await (const part of parts) found.push(...part);
  return found;
};

describe('a scan of a journal', () => {
  it('has the latest record of each execution once, newest first', async () => {
    const { scan, read } = await scanOf([
      { log: [], records: [aRecord(1), aRecord('elsewhere')] },
      { log: [], records: [aRecord(2), aRecord(1, { status: 'Completed' })] },
    ]);
    const latest = await all(scan.latestRecords());
    expect(latest.map(({ id, status }) => [id, status])).toEqual([
      [`${ID}-1`, 'Completed'],
      [`${ID}-2`, 'Running'],
      ['elsewhere', 'Running'],
    ]);
    await all(scan.latestRecords());
    expect(read).toEqual([2]);
  });

  it('has no more than a part of a long journal in memory', async () => {
    const bursts = Array.from({ length: 250 }, (_, n) => ({ log: [anEntry(n)], records: [aRecord(n)] }));
    const { scan, read } = await scanOf(bursts);
    expect(await all(scan.latestRecords())).toHaveLength(250);
    expect(read).toEqual([50, 100, 100]);
    const large = Array.from({ length: 3 }, (_, burst) => ({
      log: Array.from({ length: 1500 }, (_, n) => anEntry(burst * 1500 + n)),
      records: [],
    }));
    const long = await scanOf(large);
    expect(await all(long.scan.latestEntries())).toHaveLength(4500);
    expect(long.read).toEqual([1, 1, 1]);
  });

  it('puts records together from their parts, and reads no further back than it must', async () => {
    const state = { activityState: { Text: 'x' }, outputs: { a: 1 } };
    const { scan, read } = await scanOf([
      { log: [], records: [aRecord(1, state), aRecord(2)] },
      ...Array.from({ length: 300 }, (_, n) => ({ log: [], records: [aRecord(n + 3)] })),
      { log: [], records: [aRecord(1, { outputs: { a: 2 }, unchanged: ['activityState'] })] },
    ]);
    const found = await scan.wholeRecords([`${ID}-1`, `${ID}-absent`]);
    expect([...found.values()]).toEqual([aRecord(1, { ...state, outputs: { a: 2 } })]);
    expect(read).toHaveLength(4);
    await scan.wholeRecords([aRecord(302).id]);
    expect(read).toHaveLength(5);
    expect(await scan.wholeRecords([])).toEqual(new Map());
    expect(read).toHaveLength(5);
  });

  it('has each entry once, the one that was written last, and reads only where its number may be', async () => {
    const { scan, read } = await scanOf([
      ...Array.from({ length: 300 }, (_, n) => ({ log: [anEntry(n)], records: [] })),
      { log: [anEntry(3, 'again')], records: [] },
    ]);
    expect((await all(scan.latestEntries())).filter(({ sequence }) => sequence === 3)).toEqual([anEntry(3, 'again')]);
    read.length = 0;
    expect(await scan.entries([2, 3, 4])).toEqual([anEntry(2), anEntry(3, 'again'), anEntry(4)]);
    expect(read).toEqual([1, 3]);
    expect(await scan.entries([])).toEqual([]);
    read.length = 0;
    expect(await scan.lastEntry(({ sequence }) => sequence % 2 === 1)).toEqual(anEntry(299));
    expect(read).toEqual([1, 100]);
    expect(await scan.lastEntry(({ message }) => message === 'again')).toEqual(anEntry(3, 'again'));
    expect(await scan.lastEntry(() => false)).toBeUndefined();
  });
});

describe('sets of numbers', () => {
  it('sets of numbers give windows in ascending order, however they came', () => {
    const set = new NumberSet();
    for (const number of [70_000, 31, 32, 1023, 1024, 0, -5, 31]) set.add(number);
    expect([set.size, set.has(31), set.has(30), set.has(-5), set.add(0)]).toEqual([7, true, false, true, false]);
    expect(set.slice(0, 99)).toEqual([-5, 0, 31, 32, 1023, 1024, 70_000]);
    expect([set.slice(2, 3), set.slice(6, 3), set.slice(7, 3), set.slice(0, 0)]).toEqual([
      [31, 32, 1023],
      [70_000],
      [],
      [],
    ]);
  });

  it('sets of numbers of executions have what was imported before what ran here', () => {
    const set = new ExecutionSet(ID);
    for (const record of [aRecord(40), aRecord('late', { startedAt: new Date(AT + 5) }), aRecord(7), aRecord('early')])
      expect([set.add(record), set.add(record)]).toEqual([true, false]);
    expect(set.slice(0, 9)).toEqual(['early', 'late', `${ID}-7`, `${ID}-14`]);
    expect([set.size, set.slice(1, 2), set.slice(3, 5)]).toEqual([4, ['late', `${ID}-7`], [`${ID}-14`]]);
  });

  it('sets of numbers of executions know their own ids only', () => {
    expect(executionNumber('i-1', 'i-1-zz')).toBe(1295);
    for (const id of ['i-1', 'i-1-', 'i-1-01', 'i-1-x-2', 'i-2-1', 'i-1--1', 'i-1-zzzzzzzzzzzzzzzz'])
      expect(executionNumber('i-1', id)).toBeUndefined();
  });
});
