import { type ActivityIncident, ActivityStatus } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/** Recovers a faulted activity: it is Running again, and its incident is removed. */
export function recoverFromFault(ctx: ActivityExecutionContext): void {
  recoverFromFaults(ctx.workflow, [ctx]);
}

/** Recovers several faulted activities at once: to look for the incident of each of ten thousand failed branches among all takes seconds. */
export function recoverFromFaults(
  { incidents }: WorkflowExecutionContext,
  all: readonly ActivityExecutionContext[],
): void {
  const recovered = new Set<string>();
  for (const ctx of all) {
    if (ctx.status !== ActivityStatus.Faulted) continue;
    const own = ctx.faultCount;
    for (let c: ActivityExecutionContext | undefined = ctx; c; c = c.parent) {
      c.faultCount = Math.max(0, c.faultCount - own);
      c.isDirty = true;
    }
    ctx.exception = undefined;
    ctx.status = ActivityStatus.Running;
    recovered.add(ctx.id);
  }
  // The latest of each. An error that is caught is the last one: beside ten thousand incidents, it does not look at the others.
  const later: ActivityIncident[] = [];
  while (recovered.size > 0 && incidents.length > 0) {
    const incident = incidents.pop()!;
    if (!recovered.delete(incident.activityInstanceId)) later.push(incident);
  }
  while (later.length > 0) incidents.push(later.pop()!);
}

/**
 * What is withdrawn together with an attempt of its container needs no repair any more: the next attempt runs it anew. Its incident would
 * remain, and an instance that went well in the end would be listed as failed.
 */
export function forgetFaultsBelow(ctx: ActivityExecutionContext): void {
  const { workflow } = ctx;
  if (workflow.incidents.length === 0) return;
  const isBelow = (faulted: ActivityExecutionContext): boolean => {
    let around = faulted.parent;
    while (around && around !== ctx) around = around.parent;
    return around === ctx;
  };
  recoverFromFaults(workflow, workflow.faultedContexts().filter(isBelow));
}
