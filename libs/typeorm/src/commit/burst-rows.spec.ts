import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ValueTooLargeError } from '@waymark/runtime';
import { type BurstCommit } from '@waymark/runtime/adapter';
import type { Dialect } from '../dialect/dialect.js';
import { CHUNK, toChunk } from '../journal/journal-rows.js';
import { toRowsInTurns } from './burst-rows.js';

const dialect = { maxValueBytes: 1e9, maxStatementChars: 1e6, sentBytes: Buffer.byteLength } as Dialect;
const settings = { maxStateBytes: 3_000_000, journalValueBytes: 32_768 };

function burstWith(text: string, where: 'journal' | 'state'): BurstCommit {
  const at = new Date(0);
  const lists = { activityExecutionContexts: [], bookmarks: [], scheduledActivities: [], completionCallbacks: [] };
  const output = where === 'state' ? { text } : {};
  const state = { id: 'i', ...lists, incidents: [], input: {}, properties: {}, output, createdAt: at };
  const instance = { id: 'i', definitionId: 'd', status: 'Running', createdAt: at, updatedAt: at, state };
  const payload = where === 'journal' ? { text } : {};
  const entry = { sequence: 1, eventName: 'Completed', timestamp: at, payload };
  const journal = { log: [entry], records: [] };
  return { instance, journal, addedBookmarks: [], outbox: [] } as unknown as BurstCommit;
}

/** How many turns of the event loop others have had meanwhile. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const ended = work.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  let turns = 0;
  for (; !isDone; turns++) await nextTurn();
  await ended;
  return turns;
}

describe('a burst that is turned into rows', () => {
  it('has no turn of its own when it is small', () => {
    expect(toRowsInTurns(burstWith('x', 'journal'), dialect, settings)).not.toBeInstanceOf(Promise);
  });

  it.each(['journal', 'state'] as const)('yields to other work when its %s is large', async (where) => {
    const rows = toRowsInTurns(burstWith('x'.repeat(2_000_000), where), dialect, settings);
    expect(rows).toBeInstanceOf(Promise);
    expect(await turnsOf(Promise.resolve(rows))).toBeGreaterThanOrEqual(3);
    expect((await rows).size).toBeGreaterThan(2_000_000);
  });

  it.each([false, true])(
    'yields to other work before a large value of its journal is made text (half-way: %s)',
    async (isExecuting) => {
      const burst = burstWith('x', 'journal');
      let isRead = false;
      const large = {
        text: 'x'.repeat(2_000_000),
        get other() {
          isRead = true;
          return 'y';
        },
      };
      const { log, records } = burst.journal;
      const journal = { log: log.map((entry) => ({ ...entry, payload: large })), records };
      const instance = { ...burst.instance, isExecuting };
      const making = toRowsInTurns({ ...burst, instance, journal } as BurstCommit, dialect, settings);
      expect([making instanceof Promise, isRead]).toEqual([true, false]);
      await making;
      expect(isRead).toBe(true);
    },
  );

  it('yields to other work before it is refused', async () => {
    const rows = Promise.resolve(toRowsInTurns(burstWith('x'.repeat(4_000_000), 'state'), dialect, settings));
    expect(await turnsOf(rows)).toBeGreaterThanOrEqual(2);
    await expect(rows).rejects.toBeInstanceOf(ValueTooLargeError);
  });
});

describe('a burst that continues', () => {
  const at = new Date(0);
  const execution = (i: number) => ({
    id: `e-${i}`,
    scheduledActivityNodeId: 'n',
    properties: {},
    activityState: {},
    startedAt: at,
  });
  const entry = (i: number) => ({ sequence: i, eventName: 'Started', timestamp: at, activityId: `a-${i}` });
  const record = (i: number) => ({ id: `e-${i}`, activityId: `a-${i}`, startedAt: at, properties: {}, metadata: {} });
  const list = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));

  function goingOn(executions: number): BurstCommit {
    const burst = burstWith('x', 'state');
    const { instance } = burst;
    const state = { ...instance.state, activityExecutionContexts: list(executions, execution) };
    const journal = { log: list(2 * executions, entry), records: list(executions, record) };
    return { ...burst, instance: { ...instance, isExecuting: true, state }, journal } as unknown as BurstCommit;
  }

  it('is taken at once with few executions: it does not wait, and could change meanwhile', () => {
    expect(toRowsInTurns(goingOn(10), dialect, settings)).not.toBeInstanceOf(Promise);
  });

  it('gives others their turns with many, and has its journal in several rows, in their order', async () => {
    const burst = goingOn(5000);
    const making = Promise.resolve(toRowsInTurns(burst, dialect, { ...settings, maxStateBytes: 16_000_000 }));
    expect(await turnsOf(making)).toBeGreaterThanOrEqual(3);
    const { journal } = await making;
    expect(journal.length).toBeGreaterThan(2);
    const chunks = journal.map((values) =>
      toChunk(Object.fromEntries(CHUNK.names.map((name, n) => [name, values[n]]))),
    );
    expect(chunks.flatMap(({ log }) => log)).toEqual(burst.journal.log);
    expect(chunks.flatMap(({ records }) => records)).toEqual(burst.journal.records);
  });
});
