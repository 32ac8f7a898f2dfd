import { endsBurst, toErrorLike } from '../errors/waymark-error.js';
import { isPromiseLike } from '../values/promise-like.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { EngineOptions } from './engine-options.js';
import { findIncidentStrategy, type IncidentStrategy } from './incident-strategy.js';
import { readableError } from './readable-error.js';
import { afterRestoringAll } from './restore-within.js';
import type { FaultSignal, Signal, SignalContext } from './signals.js';

/*
 * What an application does about a fault may fail as well: a container's `onSignal`, and an incident strategy. If that left the burst, nothing
 * of it would be stored, the incident neither, and each delivery would repeat all that the burst did.
 */

/** Has an activity answer a fault below it. If it fails, it has not handled the fault, which continues to the containers around. */
export function answerFault(signal: FaultSignal, context: SignalContext, onFailure: () => void): unknown {
  const { receiver } = context;
  const fail = (error: unknown): void => {
    if (endsBurst(error)) throw error;
    onFailure();
    warnOf(receiver, `onSignal() of activity '${receiver.node.nodeId}' (${receiver.node.type})`, error, 'is unhandled');
  };
  try {
    const answer = receiver.activity.onSignal!(signal, context);
    return isPromiseLike(answer) ? Promise.resolve(answer).catch(fail) : answer;
  } catch (error) {
    return fail(error);
  }
}

/** Of any other signal. The sender may not have waited for the answer. */
export function warnOfHandler(sender: ActivityExecutionContext, { type }: Signal, error: unknown): void {
  if (endsBurst(error)) throw error;
  warnOf(
    sender,
    `What answers the signal '${type}' of activity '${sender.node.nodeId}'`,
    error,
    'is that of the sender',
  );
}

/** Of an activity that ends at its timeout without being run. */
export function warnOfTimeout(ctx: ActivityExecutionContext, error: unknown): void {
  const { node } = ctx;
  warnOf(ctx, `onTimedOut() of activity '${node.nodeId}' (${node.type})`, error, 'is the timeout');
}

/** Applies the incident strategy of the workflow. If it fails, the instance is faulted. */
export function applyIncidentStrategy(ctx: ActivityExecutionContext, engine: EngineOptions): unknown {
  const { workflow } = ctx;
  const name = workflow.graph.definition.options.incidentStrategyType;
  const strategy =
    findIncidentStrategy(name, engine.incidentStrategies) ??
    findIncidentStrategy(engine.defaultIncidentStrategy ?? 'Fault', engine.incidentStrategies)!;
  // With scopes the instance is left, and all of it is looked at.
  if (!workflow.hasScopes) return applied(ctx, strategy);
  const answer = afterRestoringAll(workflow, () => applied(ctx, strategy));
  return isPromiseLike(answer) ? answer : undefined;
}

function applied(ctx: ActivityExecutionContext, strategy: IncidentStrategy): unknown {
  const { workflow } = ctx;
  const fail = (error: unknown): void => {
    if (endsBurst(error)) throw error;
    warnOf(ctx, `The incident strategy for activity '${ctx.node.nodeId}'`, error, 'ends the instance as faulted');
    if (workflow.isRunning) workflow.fault();
  };
  try {
    const answer: unknown = strategy(ctx);
    return isPromiseLike(answer) ? workflow.track(Promise.resolve(answer).catch(fail)) : undefined;
  } catch (error) {
    return fail(error);
  }
}

function warnOf({ workflow }: ActivityExecutionContext, what: string, error: unknown, end: string): void {
  const { message } = toErrorLike(readableError(error));
  workflow.engine.warn?.(
    `WM4093: ${what} of instance '${workflow.id}' failed: ${workflow.secrets.shownError(message)}. The fault ${end}. Correct the code.`,
  );
}
