import type { JournalEntry } from '../api/instance-records.js';
import type { NodeState } from '../graph/workflow-graph.js';
import { withContents } from './node-states.js';

type Standing = 'runs' | 'waits' | 'done' | 'cancelled' | 'failed';

const AFTER: Readonly<Record<string, Standing>> = {
  Started: 'runs',
  Resumed: 'runs',
  Suspended: 'waits',
  Completed: 'done',
  Canceled: 'cancelled',
  Cancelled: 'cancelled',
  Faulted: 'failed',
};

/** What each node had done after these entries, the first ones of a journal. */
export function statesAfter(entries: Iterable<JournalEntry>): ReadonlyMap<string, NodeState> {
  const executions = new Map<string, { nodeId: string; standing: Standing }>();
  for (const { activityInstanceId, nodeId, eventName = '' } of entries) {
    const standing = AFTER[eventName];
    if (standing) executions.set(activityInstanceId, { nodeId, standing });
  }
  const states = new Map<string, NodeState>();
  for (const { nodeId, standing } of executions.values()) {
    const before = states.get(nodeId);
    const { started = 0, completed = 0, isWaiting = false, isFaulted = false, tokens = 0 } = before ?? {};
    const hasEnded = standing === 'done' || standing === 'cancelled';
    const cancelled = (before?.cancelled ?? 0) + (standing === 'cancelled' ? 1 : 0);
    states.set(nodeId, {
      started: started + 1,
      completed: completed + (hasEnded ? 1 : 0),
      ...(cancelled > 0 ? { cancelled } : {}),
      isWaiting: isWaiting || standing === 'waits',
      isFaulted: isFaulted || standing === 'failed',
      tokens: tokens + (hasEnded ? 0 : 1),
    });
  }
  return withContents(states, true);
}
