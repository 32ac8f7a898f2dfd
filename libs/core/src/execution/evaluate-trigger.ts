import type { ActivityNode } from '../graph/activity-node.js';
import type { WorkflowGraph } from '../graph/workflow-graph.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { isTrigger, NamedTriggerPayload, type TriggerBase } from './activity-base.js';
import { WorkflowExecutionContext } from './workflow-execution-context.js';
import type { WorkflowRunner } from './workflow-runner.js';
import { InputEvaluationError } from '../errors/execution-errors.js';
import { reasonToShow } from './activity-invoker.js';

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

/** How triggers are evaluated. */
export interface TriggerEvaluation {
  /** Time in milliseconds that is known to be over: first times are later, also by a clock that is behind. */
  readonly notBefore?: number | undefined;
  /**
   * Receives the error of each trigger; if it returns false, the evaluation ends. Without it, the first error is thrown.
   */
  readonly refused?: ((error: unknown) => boolean) | undefined;
  /**
   * If true, expressions get a text in place of each secret of the host, and the errors of triggers that asked for one are dropped: the
   * text may have caused them. @default false
   */
  readonly withoutSecrets?: boolean | undefined;
}

/**
 * Evaluates what the triggers of a workflow listen for. Inputs are evaluated with the variables' defaults, without an instance
 * and without workflow input. An error is thrown, not swallowed: a workflow that cannot be triggered must not look published.
 */
export async function evaluateTriggers(
  graph: WorkflowGraph,
  runner: WorkflowRunner,
  { notBefore = -Infinity, refused, withoutSecrets = false }: TriggerEvaluation = {},
): Promise<TriggerPayload[]> {
  const found: TriggerPayload[] = [];
  for (const [i, node] of triggersOf(graph).entries()) {
    // A path with regular expressions takes 20 ms, and scripts as long as they may.
    if (i % TRIGGERS_OF_TURN === TRIGGERS_OF_TURN - 1) await runner.engine.yield?.();
    let asked = false;
    const secretInstead = () => ((asked = true), SECRET_INSTEAD);
    const engine = { ...runner.engine, journal: false, ...(withoutSecrets && { secretInstead }) };
    const wec = new WorkflowExecutionContext(`trigger:${graph.definition.id}`, graph, engine, runner.invoker);
    try {
      found.push(...(await evaluateTrigger(wec, node, notBefore)));
    } catch (thrown) {
      if (asked) continue;
      const error = masked(wec, thrown);
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

/** Errors quote what they could not read. This one is shown in plans and logs, and to users who may not have the secrets. */
function masked({ secrets }: WorkflowExecutionContext, error: unknown): unknown {
  if (!secrets.known || !(error instanceof Error) || !Object.isExtensible(error)) return error;
  const message = secrets.shownError(error.message);
  if (message !== error.message)
    Object.defineProperty(error, 'message', { value: message, configurable: true, writable: true });
  return error;
}

const TRIGGERS_OF_TURN = 5;

/** Long enough for a script, which refuses secrets that are too short. */
const SECRET_INSTEAD = 'in-place-of-a-secret';

async function evaluateTrigger(
  wec: WorkflowExecutionContext,
  node: ActivityNode,
  notBefore: number,
): Promise<TriggerPayload[]> {
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
      throw new InputEvaluationError(input.name, node.id, reasonToShow(input, error));
    }
  }
  const context = { triggerName: node.type, execution };
  const payloads = await activity.getTriggerPayloads(context);
  const now = Math.max(wec.engine.clock.now(), notBefore);
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
