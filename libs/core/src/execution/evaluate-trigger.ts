import type { ActivityNode } from '../graph/activity-node.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { isTrigger, NamedTriggerPayload, type TriggerBase } from './activity-base.js';
import { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { WorkflowRunner } from './workflow-runner.js';
import { InputEvaluationError } from '../errors/execution-errors.js';

/** A trigger to be stored. */
export interface TriggerPayload {
  /** The trigger in the compiled version. */
  readonly node: ActivityNode;
  /** Stimulus name. */
  readonly name: string;
  /** Payload that a stimulus must have to match it. */
  readonly payload: unknown;
  /** Value from which the hash is computed. */
  readonly hashInput: unknown;
  /** Time at which it fires first; null if never, undefined if it is not time-based. */
  readonly dueAt: Date | null | undefined;
  /** Key that no other definition may have, such as a route. */
  readonly exclusiveKey: string | undefined;
}

/**
 * Evaluates what the triggers of a workflow listen for. Inputs are evaluated with the variables' defaults, without an instance
 * and without workflow input. An error is thrown, not swallowed: a workflow that cannot be triggered must not look published.
 * @param notBefore time in milliseconds that is known to be over: first times are later, also by a clock that is behind
 * @param refused receives the error of each trigger; if it returns false, the evaluation ends. Without it, the first error is
 *   thrown
 */
export async function evaluateTriggers(
  graph: WorkflowGraph,
  runner: WorkflowRunner,
  notBefore = -Infinity,
  refused?: (error: unknown) => boolean,
): Promise<TriggerPayload[]> {
  const found: TriggerPayload[] = [];
  for (const [i, node] of triggersOf(graph).entries()) {
    // A path with regular expressions takes 20 ms, and scripts as long as they may.
    if (i % TRIGGERS_OF_TURN === TRIGGERS_OF_TURN - 1) await runner.engine.yield?.();
    try {
      found.push(...(await evaluateTrigger(graph, node, runner, notBefore)));
    } catch (error) {
      const known = placed(error, node.id);
      if (!refused) throw known;
      if (!refused(known)) break;
    }
  }
  return found;
}

/** An activity that refuses its own inputs does not know its id; editors show the problem at it. */
function placed(error: unknown, activityId: string): unknown {
  if (error instanceof Error && !('activityId' in error) && Object.isExtensible(error))
    Object.defineProperty(error, 'activityId', { value: activityId, configurable: true });
  return error;
}

/** Lists the activities that start a workflow. */
export const triggersOf = (graph: WorkflowGraph): ActivityNode[] =>
  graph.nodes.filter((node) => node.canStartWorkflow && isTrigger(node.registration.provider));

const TRIGGERS_OF_TURN = 5;

async function evaluateTrigger(
  graph: WorkflowGraph,
  node: ActivityNode,
  runner: WorkflowRunner,
  notBefore: number,
): Promise<TriggerPayload[]> {
  const wec = new WorkflowExecutionContext(
    `trigger:${graph.definition.id}`,
    graph,
    { ...runner.engine, journal: false },
    runner.invoker,
  );
  const path: ActivityNode[] = [];
  for (let n: ActivityNode | undefined = node; n; n = n.parent) path.unshift(n);
  let ctx: ActivityExecutionContext | undefined;
  for (const step of path) ctx = wec.createContext(step, ctx);
  const execution = ctx!;
  const activity = execution.activity as TriggerBase;
  for (const input of node.evaluatedInputs) {
    try {
      (activity as unknown as Record<string, unknown>)[input.propertyName] = await execution.evaluate(input);
    } catch (error) {
      throw new InputEvaluationError(input.name, node.id, error);
    }
  }
  const context = { triggerName: node.type, execution };
  const payloads = await activity.getTriggerPayloads(context);
  const now = Math.max(runner.engine.clock.now(), notBefore);
  return payloads.map((given) => {
    const named = given instanceof NamedTriggerPayload ? given : undefined;
    const payload = named ? named.payload : given;
    return {
      node,
      name: named?.name ?? context.triggerName,
      payload,
      hashInput: activity.getHashInput ? activity.getHashInput(payload) : payload,
      dueAt: activity.getTriggerDueAt?.(payload, now),
      exclusiveKey: activity.getExclusiveKey?.(payload),
    };
  });
}
