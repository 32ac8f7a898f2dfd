import type { Instance } from '../api/instances.js';
import type { NodeStatistics } from '../api/instance-records.js';
import type { NodeState } from '../graph/workflow-graph.js';

type States = ReadonlyMap<string, NodeState>;

/** What each node of an instance did, by node id, as the server adds it up. */
export function statesOf(
  stats: readonly NodeStatistics[],
  { status, subStatus }: Pick<Instance, 'status' | 'subStatus'>,
): States {
  const states = new Map<string, NodeState>();
  for (const counts of stats)
    states.set(counts.activityNodeId, {
      started: counts.startedCount,
      completed: counts.completedCount,
      // A server of yesterday beside today's does not count them.
      cancelled: counts.canceledCount ?? 0,
      isWaiting: counts.isBlocked,
      isFaulted: counts.isFaulted,
      tokens: status === 'Finished' ? 0 : counts.uncompletedCount,
      durationMs: counts.completedCount > 0 ? counts.durationMs : undefined,
    });
  // A fault that was handled is the matter of what handled it.
  return withContents(states, subStatus === 'Faulted');
}

/**
 * The same, in which a container that has not ended says what is most urgent within it: a flowchart in which everything waits has
 * nothing to run, and one in which an activity failed does not continue. Else one has to open each to find where it stands.
 * @param hasFaults whether the failures within concern the container
 */
export function withContents(states: States, hasFaults: boolean): States {
  const all = new Map(states);
  for (const [nodeId, { isWaiting, isFaulted }] of states) {
    const isFault = isFaulted && hasFaults;
    if (!isWaiting && !isFault) continue;
    for (const around of aroundOf(nodeId)) {
      const state = all.get(around);
      if (!state || state.completed >= state.started) continue;
      all.set(around, {
        ...state,
        isWaiting: state.isWaiting || isWaiting,
        isFaulted: state.isFaulted || isFault,
      });
    }
  }
  return all;
}

/** `Workflow1:Flow:Step` is within `Workflow1:Flow`, which is within `Workflow1`. */
function* aroundOf(nodeId: string): Generator<string> {
  for (let end = nodeId.lastIndexOf(':'); end > 0; end = nodeId.lastIndexOf(':', end - 1)) yield nodeId.slice(0, end);
}
