import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isPromiseLike } from '../values/promise-like.js';

export type JoinMode = 'WaitAny' | 'WaitAll' | 'WaitAllActive';

export function isFlowJoin(node: ActivityNode): boolean {
  return node.type === 'Elsa.FlowJoin';
}

/**
 * What an activity with several inbound connections waits for. The mode of a FlowJoin is an input of an activity that
 * does not run yet: if it is an expression, it is evaluated from the flowchart.
 */
export function joinModeOf(flowchart: ActivityExecutionContext, node: ActivityNode): JoinMode | Promise<JoinMode> {
  if (!isFlowJoin(node)) return 'WaitAllActive';
  const input = node.inputs.find((i) => i.name === 'Mode');
  const mode = input ? flowchart.evaluate(input) : null;
  return isPromiseLike(mode) ? mode.then(toJoinMode) : toJoinMode(mode);
}

function toJoinMode(value: unknown): JoinMode {
  return value === 'WaitAll' || value === 'WaitAllActive' ? value : 'WaitAny';
}
