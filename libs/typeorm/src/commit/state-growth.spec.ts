import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { INSTANCE } from '../instances/instance-rows.js';
import { LargeStates } from '@waymark/runtime';
import type { WorkflowInstanceRecord } from '@waymark/runtime/adapter';
import type { Dialect } from '../dialect/dialect.js';
import type { BurstRows } from './burst-rows.js';
import { StateGrowth } from './state-growth.js';

const LIMIT = 100_000;
const dialect = { maxValueBytes: 1e9 } as Dialect;

function rowsOf(id: string, size: number, isFinished = false, length = 0): BurstRows {
  const at = new Date(0);
  const list = Array.from({ length }, () => ({}));
  const lists = { activityExecutionContexts: list, bookmarks: list, scheduledActivities: list };
  const state = { id, ...lists, output: { text: 'x'.repeat(size) }, createdAt: at };
  const grown = { id, definitionId: 'd', createdAt: at, updatedAt: at, state } as unknown as WorkflowInstanceRecord;
  return {
    burst: { instance: grown },
    instance: INSTANCE.values({ ...grown, revision: 1 }),
    isFinished,
  } as unknown as BurstRows;
}

describe('a state that grows', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;
  let growth: StateGrowth;
  let states: LargeStates;
  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    states = new LargeStates();
    growth = new StateGrowth(LIMIT, states);
  });
  afterEach(() => void jest.restoreAllMocks());

  const warnedAfter = (...sizes: readonly number[]): number => {
    for (const size of sizes) growth.note(rowsOf('i1', size), dialect);
    return warn.mock.calls.length;
  };

  it('causes a warning from a quarter of the limit on, and each time it has doubled', () => {
    expect(warnedAfter(10_000, 20_000)).toBe(0);
    expect(warnedAfter(26_000, 30_000, 45_000)).toBe(1);
    expect(warnedAfter(60_000, 62_000)).toBe(2);
    expect(warn.mock.calls[0]![0]).toMatch(/instance "i1".* takes \d+ bytes, 2\d % of the 100000 .*0 bookmarks/);
  });

  it.each([
    [1, '1 running activity, 1 bookmark, 1 activity to come.'],
    [2, '2 running activities, 2 bookmarks, 2 activities to come.'],
  ])('is described in the warning with what it has: %d of each', (length, words) => {
    growth.note(rowsOf('i1', 30_000, false, length), dialect);
    expect(warn.mock.calls[0]![0]).toContain(words);
  });

  it('has the share of the limit that the health check has: 82.9 % are 82 %', () => {
    warnedAfter(82_700);
    const [, bytes, percent] = /takes (\d+) bytes, (\d+) %/.exec(String(warn.mock.calls[0]![0]))!;
    expect([Number(bytes) > 82_500, percent]).toEqual([true, '82']);
  });

  it('is measured by what the database takes, where that is less', () => {
    growth.note(rowsOf('i1', 20_000), { maxValueBytes: 60_000 } as Dialect);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('is forgotten when its instance has ended', () => {
    expect(warnedAfter(30_000)).toBe(1);
    growth.note(rowsOf('i1', 30_000, true), dialect);
    expect(warnedAfter(30_000)).toBe(2);
  });

  it('is a number for operators from a quarter of the limit on, and near it from three quarters', () => {
    warnedAfter(10_000);
    expect([states.count, states.largest, states.nearLimit]).toEqual([0, undefined, []]);
    warnedAfter(30_000);
    growth.note(rowsOf('i2', 80_000), dialect);
    growth.note(rowsOf('i3', 90_000), dialect);
    expect([states.count, states.nearLimit.map(({ workflowInstanceId }) => workflowInstanceId)]).toEqual([
      3,
      ['i3', 'i2'],
    ]);
    expect(states.largest).toMatchObject({ definitionId: 'd', maxBytes: LIMIT });
    expect(states.largest!.bytes).toBeGreaterThan(90_000);
    // Smaller again, by a little or by much, or ended.
    growth.note(rowsOf('i1', 20_000), dialect);
    growth.note(rowsOf('i2', 10), dialect);
    growth.note(rowsOf('i3', 90_000, true), dialect);
    expect(states.count).toBe(0);
  });
});
