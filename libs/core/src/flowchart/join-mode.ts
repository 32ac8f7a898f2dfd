import { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import type { CompiledInput } from '../graph/compiled-input.js';
import { isPromiseLike } from '../values/promise-like.js';

export type JoinMode = 'WaitAny' | 'WaitAll' | 'WaitAllActive';

export function isFlowJoin(node: ActivityNode): boolean {
  return node.type === 'Elsa.FlowJoin';
}

/**
 * What an activity with several inbound connections waits for. The mode of a FlowJoin is an input of an activity that
 * does not run yet: if it is an expression, it is evaluated as if the join ran now, which sees what it will see then.
 */
export function joinModeOf(flowchart: ActivityExecutionContext, node: ActivityNode): JoinMode | Promise<JoinMode> {
  if (!isFlowJoin(node)) return 'WaitAllActive';
  const input = node.inputs.find((i) => i.name === 'Mode');
  const mode = input ? evaluateAt(flowchart, node, input) : null;
  return isPromiseLike(mode) ? mode.then(toJoinMode) : toJoinMode(mode);
}

/** The execution is part of nothing, and is forgotten: expressions look around from it. */
function evaluateAt(flowchart: ActivityExecutionContext, node: ActivityNode, input: CompiledInput): unknown {
  if (input.constant) return input.constant.value;
  const { workflow, number } = flowchart;
  return new ActivityExecutionContext(number, undefined, node, workflow, flowchart, workflow.time).evaluate(input);
}

function toJoinMode(value: unknown): JoinMode {
  return value === 'WaitAll' || value === 'WaitAllActive' ? value : 'WaitAny';
}
