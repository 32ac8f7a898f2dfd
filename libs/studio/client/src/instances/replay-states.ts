import type { JournalEntry } from '../api/instances.js';
import type { NodeState } from '../graph/workflow-graph.js';

type Standing = 'runs' | 'waits' | 'done' | 'failed';

const AFTER: Readonly<Record<string, Standing>> = {
  Started: 'runs',
  Resumed: 'runs',
  Suspended: 'waits',
  Completed: 'done',
  Canceled: 'done',
  Cancelled: 'done',
  Faulted: 'failed',
};

/** What each node had done after these entries, the first ones of a journal. */
export function statesAfter(entries: Iterable<JournalEntry>): Map<string, NodeState> {
  const executions = new Map<string, { nodeId: string; standing: Standing }>();
  for (const { activityInstanceId, nodeId, eventName = '' } of entries) {
    const standing = AFTER[eventName];
    if (standing) executions.set(activityInstanceId, { nodeId, standing });
  }
  const states = new Map<string, NodeState>();
  for (const { nodeId, standing } of executions.values()) {
    const { started = 0, completed = 0, isWaiting = false, isFaulted = false, tokens = 0 } = states.get(nodeId) ?? {};
    states.set(nodeId, {
      started: started + 1,
      completed: completed + (standing === 'done' ? 1 : 0),
      isWaiting: isWaiting || standing === 'waits',
      isFaulted: isFaulted || standing === 'failed',
      tokens: tokens + (standing === 'done' ? 0 : 1),
    });
  }
  return states;
}
