import { Outcomes } from '../state/outcomes.js';
import { ActivityStatus } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { addEntries, type CompensationEntry, ENTRIES, entriesOf, entryInput, UNDOS, undosOf } from './compensation.js';
import { WorkItem } from './work-item.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/*
 * What scopes have in common (decision 36).
 * 1. A scope is left when it completes, is cancelled or passes a fault on. It is not over before all that cleans up in it is.
 * 2. An execution that is cancelled and owes something stays: it leaves its parent for the nearest scope that goes on.
 * 3. What cleans up is a child of a scope, with the callback `onCleanedUp`. The undos of one scope follow one another.
 * 4. An entry is in one place only: with its scope, among the undos of one, or in the input of the execution that undoes it.
 */

/** The method of a scope that is called when something in it has cleaned up. */
export const CLEANED_UP = 'onCleanedUp';
/** Property of a scope that has completed but for what cleans up in it. */
const RESULT = 'PendingResult';
/** Property of an execution that ends when it is cancelled, whatever it owes. */
const GIVEN_UP = 'IsGivenUp';

/** A cancelled execution that remains until it is moved to its new scope. */
export interface Survivor {
  readonly ctx: ActivityExecutionContext;
  /** Executions around it, with the variables that they had. */
  readonly around: readonly Pick<ActivityExecutionContext, 'slots'>[];
}

export function isScope(ctx: ActivityExecutionContext): boolean {
  return ctx.activity.isScope?.(ctx) === true;
}

export function scopeAround(ctx: ActivityExecutionContext): ActivityExecutionContext | undefined {
  for (let c = ctx.parent; c; c = c.parent) if (isScope(c)) return c;
  return undefined;
}

/** @returns true when it stays, and has been taken out of where it was */
export function staysWhenCancelled(ctx: ActivityExecutionContext): boolean {
  const { workflow } = ctx;
  if (workflow.isAbandoned || ctx.existingProperties?.[GIVEN_UP] === true || !ctx.activity.outlivesCancel?.(ctx))
    return false;
  const around: Survivor['around'][number][] = [];
  for (let c = ctx.parent; c; c = c.parent) around.push({ slots: c.slots });
  workflow.contexts.delete(ctx);
  (workflow.survivors ??= []).push({ ctx, around });
  return true;
}

/** Brings each to the nearest scope that continues, when all that is cancelled together is. */
export function settleSurvivors(wec: WorkflowExecutionContext): void {
  while (wec.survivors !== undefined) {
    const all = wec.survivors;
    wec.survivors = undefined;
    // The outer ones first: they were cancelled last, and the inner ones may go to them.
    const settled = [...all].reverse().filter((survivor) => settle(wec, survivor));
    for (const { ctx } of settled.reverse()) ctx.call({ method: CLEANED_UP }, ctx, undefined);
  }
}

function settle(wec: WorkflowExecutionContext, { ctx, around }: Survivor): boolean {
  let host = ctx.parent;
  let distance = 0;
  while (host && !(host.status === ActivityStatus.Running && wec.contexts.has(host) && isScope(host))) {
    host = host.parent;
    distance++;
  }
  if (!host) {
    wec.engine.warn?.(
      `Instance '${wec.id}': '${ctx.node.nodeId}' cannot clean up, since no scope around it is still running.`,
    );
    return false;
  }
  const between = around.slice(0, distance).flatMap(({ slots }) => slots ?? []);
  if (between.length > 0) ctx.slots = [...(ctx.slots ?? []), ...between.map((slot) => ({ ...slot, dynamic: true }))];
  ctx.parent = host;
  ctx.callback = { method: CLEANED_UP };
  ctx.isDirty = true;
  wec.contexts.adopt(ctx);
  return true;
}

/** True while something in this scope cleans up. */
export function isCleaning(scope: ActivityExecutionContext): boolean {
  for (let child = scope.activeChildren?.first; child; child = child.nextSibling) if (cleansUp(child)) return true;
  return scope.queuedWork > 0 && queuedCleaning(scope).length > 0;
}

const cleansUp = ({ callback }: ActivityExecutionContext): boolean => callback?.method === CLEANED_UP;

const queuedCleaning = (scope: ActivityExecutionContext): WorkItem[] =>
  scope.workflow.queue.list().filter(({ owner, callback }) => owner === scope && callback?.method === CLEANED_UP);

/** Cancels what the scope has running, but for what cleans up and those to be kept. */
export function cancelOthers(scope: ActivityExecutionContext, kept?: ReadonlySet<ActivityExecutionContext>): void {
  const { workflow } = scope;
  if (scope.queuedWork > 0) {
    const cleaning = queuedCleaning(scope);
    workflow.queue.dropWorkOf(scope);
    // As new items: the dropped ones are still there, and tell that they are by their round.
    for (const { node, owner, callback, after, details } of cleaning)
      workflow.queue.push(new WorkItem(node, owner, callback, after, details));
  }
  for (const child of scope.activeChildren?.list() ?? [])
    if (!kept?.has(child) && (!cleansUp(child) || child.existingProperties?.[GIVEN_UP] === true))
      child.cancelNow({ notifyParent: false });
}

/** Continues with the next undo. @returns true: something in this scope cleans up */
export function goOnCleaning(scope: ActivityExecutionContext): boolean {
  const { workflow } = scope;
  settleSurvivors(workflow);
  if (isCleaning(scope)) return true;
  const undos = undosOf(scope);
  for (let entry = undos?.pop(); entry; entry = undos!.pop()) {
    const node = workflow.graph.findByNodeId(entry.nodeId);
    if (node) {
      workflow.queue.push(new WorkItem(node, scope, { method: CLEANED_UP }, undefined, { input: entryInput(entry) }));
      scope.isDirty = true;
      return true;
    }
    workflow.engine.warn?.(
      `Instance '${workflow.id}': '${entry.nodeId}' is not part of this version and is not undone.`,
    );
  }
  if (undos) delete scope.properties[UNDOS];
  return false;
}

/**
 * Before an execution completes, where the instance has scopes: a scope waits for what cleans up in it, and hands what can
 * be undone to the one around it.
 * @returns true: not yet
 */
export function staysToCleanUp(ctx: ActivityExecutionContext, result: unknown): boolean {
  if (!isScope(ctx)) return false;
  cancelOthers(ctx);
  settleSurvivors(ctx.workflow);
  if (isCleaning(ctx) || (undosOf(ctx)?.length && goOnCleaning(ctx))) {
    ctx.properties[RESULT] ??= result instanceof Outcomes ? { outcomes: [...result.names] } : { result };
    return true;
  }
  // Those of the instance are not undone any more.
  const entries = takeAll(ctx);
  const outer = scopeAround(ctx);
  if (outer) addEntries(outer, entries);
  return false;
}

/** Completes a scope that only waited for what cleaned up in it. @returns false: it has not completed */
export function completePending(scope: ActivityExecutionContext): boolean {
  const pending = scope.existingProperties?.[RESULT] as { outcomes?: string[]; result?: unknown } | undefined;
  if (!pending) return false;
  delete scope.properties[RESULT];
  scope.complete(pending.outcomes ? new Outcomes(...pending.outcomes) : pending.result);
  return true;
}

/** What failed while it cleaned up is not tried again: the error is another scope's now. */
export function giveUp(faulted: ActivityExecutionContext, until: ActivityExecutionContext): void {
  let child = faulted;
  for (let c: ActivityExecutionContext | undefined = faulted; c && c !== until; c = c.parent) {
    if (c.activity.isFailedBy?.(c, child)) {
      c.log('Given up');
      c.properties[GIVEN_UP] = true;
      const outer = scopeAround(c);
      if (outer) addEntries(outer, takeAll(c));
    }
    child = c;
  }
}

/** True when it failed while it cleaned up. */
export function failedCleaning(faulted: ActivityExecutionContext): boolean {
  let child = faulted;
  for (let c: ActivityExecutionContext | undefined = faulted; c; c = c.parent) {
    if (c.activity.isFailedBy?.(c, child)) return true;
    child = c;
  }
  return false;
}

function takeAll(scope: ActivityExecutionContext): readonly CompensationEntry[] {
  const entries = entriesOf(scope);
  if (entries.length > 0) delete scope.properties[ENTRIES];
  return entries;
}
