import { ActivityStatus, type ActivityIncident } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { recoverFromFaults } from './activity-invoker.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

const incident = (activityInstanceId: string, message: string): ActivityIncident =>
  ({ activityInstanceId, message }) as ActivityIncident;
const faulted = (id: string): ActivityExecutionContext =>
  ({ id, status: ActivityStatus.Faulted, faultCount: 1 }) as ActivityExecutionContext;
const recover = (incidents: ActivityIncident[], ...ids: string[]): string[] => {
  recoverFromFaults({ incidents } as WorkflowExecutionContext, ids.map(faulted));
  return incidents.map(({ message }) => message);
};

describe('recovering from faults', () => {
  it('removes the latest incident of each, and keeps the order of the others', () => {
    const incidents = [
      incident('a', '1'),
      incident('b', '2'),
      incident('a', '3'),
      incident('c', '4'),
      incident('d', '5'),
    ];
    expect(recover(incidents, 'a', 'c')).toEqual(['1', '2', '5']);
  });

  it('looks at no incident before those: with ten thousand, each error that is caught would walk through all', () => {
    let looks = 0;
    const earlier = Object.defineProperty(incident('', 'earlier'), 'activityInstanceId', {
      get: () => ((looks += 1), 'other'),
    });
    expect(recover([earlier, incident('a', 'caught')], 'a')).toEqual(['earlier']);
    expect(looks).toBe(0);
  });
});
