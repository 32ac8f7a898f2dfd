import type { NodeStatistics } from '../api/instance-records.js';
import { toneOf } from '../graph/tone.js';
import { statesOf } from './node-states.js';

const node = (activityNodeId: string, more: Partial<NodeStatistics> = {}): NodeStatistics => ({
  activityId: activityNodeId.split(':').at(-1)!,
  activityNodeId,
  startedCount: 1,
  completedCount: 0,
  canceledCount: 0,
  uncompletedCount: 1,
  durationMs: 0,
  isBlocked: false,
  isFaulted: false,
  aggregateFaultCount: 0,
  ...more,
});
const ended = { completedCount: 1, uncompletedCount: 0 };
const running = { status: 'Running', subStatus: 'Suspended' } as const;

const tones = (stats: readonly NodeStatistics[], instance: Parameters<typeof statesOf>[1] = running) =>
  Object.fromEntries([...statesOf(stats, instance)].map(([id, state]) => [id, toneOf(state)]));

describe('the states of the nodes of an instance', () => {
  it('an activity that was cancelled is not shown as finished', () => {
    const cancelled = { ...ended, canceledCount: 1 };
    const stats = [node('W', cancelled), node('W:Done', ended), node('W:Wait', cancelled)];
    expect(tones(stats, { status: 'Finished', subStatus: 'Cancelled' })).toEqual({
      W: 'cancelled',
      'W:Done': 'finished',
      'W:Wait': 'cancelled',
    });
  });

  it('an activity that was cancelled once and finished another time is shown as finished', () => {
    const stats = [node('W:Wait', { startedCount: 2, completedCount: 2, uncompletedCount: 0, canceledCount: 1 })];
    expect(tones(stats)).toEqual({ 'W:Wait': 'finished' });
  });

  it('a container in which an activity waits is shown as waiting, at every level', () => {
    const stats = [node('W'), node('W:In'), node('W:In:Deep'), node('W:In:Deep:E', { isBlocked: true }), node('W:I')];
    expect(tones(stats)).toEqual({
      W: 'waiting',
      'W:In': 'waiting',
      'W:In:Deep': 'waiting',
      'W:In:Deep:E': 'waiting',
      'W:I': 'running',
    });
  });

  it('a container in which an activity failed is shown as failed when that ended the instance, and not when it was handled', () => {
    const stats = [node('W:Try'), node('W:Try:Call', { isFaulted: true }), node('W:Old', ended)];
    const failed = { status: 'Finished', subStatus: 'Faulted' } as const;
    expect(tones(stats, failed)).toMatchObject({ 'W:Try': 'faulted', 'W:Try:Call': 'faulted', 'W:Old': 'finished' });
    expect(tones(stats)).toMatchObject({ 'W:Try': 'running', 'W:Try:Call': 'faulted' });
  });

  it('the report of a server that does not count cancelled executions shows them as ended', () => {
    const { canceledCount: _none, ...old } = node('W:Wait', ended);
    expect(tones([old])).toEqual({ 'W:Wait': 'finished' });
  });
});
