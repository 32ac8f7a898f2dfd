import type { JournalEntry } from '../api/instance-records.js';
import { statesAfter } from './replay-states.js';

const entry = (activityInstanceId: string, nodeId: string, eventName: string): JournalEntry => ({
  id: `${activityInstanceId} ${eventName}`,
  activityInstanceId,
  activityId: nodeId,
  activityType: 'Elsa.Event',
  nodeId,
  timestamp: '2026-01-01T00:00:00Z',
  sequence: 0,
  eventName,
});
const journal = [
  entry('1', 'Steps', 'Started'),
  entry('2', 'Approval', 'Started'),
  entry('2', 'Approval', 'Suspended'),
  entry('2', 'Approval', 'Note'),
  entry('2', 'Approval', 'Resumed'),
  entry('2', 'Approval', 'Completed'),
  entry('3', 'Approval', 'Started'),
  entry('3', 'Approval', 'Faulted'),
  entry('1', 'Steps', 'Completed'),
];
const none = { started: 1, completed: 0, isWaiting: false, isFaulted: false, tokens: 1 };

describe('replaying a journal', () => {
  it.each([
    [0, 'Approval', undefined],
    [1, 'Approval', undefined],
    [2, 'Approval', none],
    [3, 'Approval', { ...none, isWaiting: true }],
    [4, 'Approval', { ...none, isWaiting: true }],
    [5, 'Approval', none],
    [6, 'Approval', { ...none, completed: 1, tokens: 0 }],
    [7, 'Approval', { ...none, started: 2, completed: 1 }],
    [8, 'Approval', { ...none, started: 2, completed: 1, isFaulted: true }],
    [8, 'Steps', none],
    [9, 'Steps', { ...none, completed: 1, tokens: 0 }],
  ])('the replay of %i entries gives the state of %s', (count, nodeId, state) => {
    expect(statesAfter(journal.slice(0, count)).get(nodeId)).toEqual(state);
  });

  it('the replay of a cancelled activity shows it as cancelled', () => {
    const cancelled = [entry('1', 'Wait', 'Started'), entry('1', 'Wait', 'Suspended'), entry('1', 'Wait', 'Canceled')];
    expect(statesAfter(cancelled).get('Wait')).toEqual({ ...none, completed: 1, cancelled: 1, tokens: 0 });
  });

  it('the replay of a step that waits within a container shows the container as waiting', () => {
    const within = [entry('1', 'Flow', 'Started'), entry('2', 'Flow:E', 'Started'), entry('2', 'Flow:E', 'Suspended')];
    expect(statesAfter(within).get('Flow')).toEqual({ ...none, isWaiting: true });
  });
});
