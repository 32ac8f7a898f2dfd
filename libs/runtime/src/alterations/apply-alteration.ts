import type { ActivityExecutionContext, WorkflowExecutionContext } from '@waymark/core';
import {
  convertValue,
  executeAgain,
  isPromiseLike,
  keepUnchanged,
  missedOutcomes,
  recoverFromFaults,
  ScheduleChildSignal,
} from '@waymark/core/adapter';
import { VariableNotStoredError } from '../services/instance-errors.js';
import { type ActivityTarget, type Alteration, AlterationFailure } from '../persistence/alteration.js';

type AlterationOf<T extends Alteration['type']> = Extract<Alteration, { type: T }>;

/** What the list has recovered or executes again: named once more, it continues from there, with what it has. */
type Begun = Set<ActivityExecutionContext>;

/** That are ended, or retried, without a pause. */
const EXECUTIONS_OF_PART = 500;

/** Makes the changes one after the other, with a pause after each part of many. @param onNext called before each is made */
export async function applyAlterations(
  wec: WorkflowExecutionContext,
  alterations: readonly Alteration[],
  isRun: boolean,
  onNext: (alteration: Alteration) => void,
): Promise<void> {
  const begun = recoverTogether(wec, alterations);
  for (const [index, alteration] of alterations.entries()) {
    if (index > 0 && index % EXECUTIONS_OF_PART === 0) await wec.engine.yield?.();
    onNext(alteration);
    await applyAlteration(wec, alteration, isRun, begun);
  }
}

/** Of ten thousand failed executions, each retried for itself: to look for the incident of each among those of all others takes seconds. */
function recoverTogether(wec: WorkflowExecutionContext, alterations: readonly Alteration[]): Begun {
  const named = alterations.filter((a) => a.type === 'ScheduleActivity' && a.activityInstanceId !== undefined);
  // Others look at what has failed.
  if (named.length < alterations.length) return new Set();
  const failed = named.flatMap((a) => executionsOf(wec, a as ActivityTarget)).filter(isFaulted);
  recoverFromFaults(wec, failed);
  return new Set(failed);
}

/**
 * Makes the change in memory. Migrations are done by the runner, which begins with the other version.
 * @param isRun a burst follows, which sees values that are not stored, too
 */
async function applyAlteration(
  wec: WorkflowExecutionContext,
  alteration: Alteration,
  isRun: boolean,
  begun: Begun,
): Promise<void> {
  switch (alteration.type) {
    case 'ModifyVariable':
      return modifyVariable(wec, alteration, isRun);
    case 'ScheduleActivity':
      return scheduleActivity(wec, alteration, begun);
    case 'CancelActivity':
      return cancelActivity(wec, alteration);
    case 'SkipActivity':
      return skipActivity(wec, alteration);
    case 'Cancel':
      return void wec.cancel();
    case 'Migrate':
    case 'UndoMigration':
      return undefined;
  }
}

/**
 * False for the repair of what has not failed, or was repaired by another request meanwhile: what waits would begin anew, and what runs
 * would be cut short. Where it cannot be done at all it is due, and says so.
 */
export function isDue(wec: WorkflowExecutionContext, alteration: Alteration): boolean {
  if (!('onlyFaulted' in alteration && alteration.onlyFaulted)) return true;
  const { activityId } = alteration;
  if (activityId !== undefined && wec.graph.findById(activityId).length === 0) return true;
  if (executionsOf(wec, alteration).some(isFaulted)) return true;
  // It failed for another reason than this one, as when its execution has been undone since.
  return alteration.type === 'ScheduleActivity' && wec.subStatus === 'Faulted' && wec.faultedContexts().length === 0;
}

function modifyVariable(
  wec: WorkflowExecutionContext,
  { variableId, value }: { readonly variableId: string; readonly value?: unknown },
  isRun: boolean,
): void {
  const { ctx, slot } = slotOf(wec, variableId) ?? {};
  if (!ctx || !slot) throw new AlterationFailure('ModifyVariable', `Variable with ID ${variableId} not found`);
  const { name, type, conversion, isPersisted, isEncrypted } = slot.variable;
  if (!isPersisted && !isRun) throw new AlterationFailure('ModifyVariable', new VariableNotStoredError(name).message);
  // Before it is converted: what runs with it may show it, and overwrite it before it is stored.
  if (isEncrypted) wec.secrets.noteEncrypted(value);
  try {
    slot.value = convertValue(keepUnchanged(slot.value, value) ?? null, type, conversion);
    if (slot.living) slot.living.value = slot.value;
  } catch (error) {
    const reason = isEncrypted ? 'it is not shown' : (error as Error).message;
    const message = `The value does not fit variable '${name}' of type ${type.alias}: ${reason}`;
    throw new AlterationFailure('ModifyVariable', message);
  }
  ctx.isDirty = true;
}

/** Where a variable has its value. */
export function slotOf(wec: WorkflowExecutionContext, variableId: string) {
  for (const ctx of [...(wec.rootContext ? [wec.rootContext] : []), ...wec.contexts.values()]) {
    const slot = ctx.slots?.find((s) => s.variable.id === variableId);
    if (slot) return { ctx, slot };
  }
  return undefined;
}

async function cancelActivity(wec: WorkflowExecutionContext, target: ActivityTarget): Promise<void> {
  const found = executionsOf(wec, target);
  if (found.length === 0)
    throw new AlterationFailure('CancelActivity', `No running execution of activity ${nameOf(target)}`);
  // What runs on in it is stored as running; an instance that stood failed without an incident would be found by no retry.
  if (wec.subStatus === 'Faulted') wec.reopen();
  forgetFaultsIn(wec, found);
  await eachInTurn(wec, found, (ctx) => ctx.cancel());
  if (wec.queue.size === 0) wec.settle();
}

async function skipActivity(
  wec: WorkflowExecutionContext,
  { outcomes, onlyFaulted, ...target }: AlterationOf<'SkipActivity'>,
): Promise<void> {
  if (wec.subStatus === 'Faulted') wec.reopen();
  if (!wec.isRunning) throw new AlterationFailure('SkipActivity', `The instance has ended (${wec.subStatus})`);
  const there = executionsOf(wec, target);
  const found = onlyFaulted ? there.filter(isFaulted) : there;
  if (found.length === 0)
    throw new AlterationFailure('SkipActivity', `No running execution of activity ${nameOf(target)}`);
  // Designers name `Done` for none. By name alone, connections that leave by the default outcome would not be followed.
  const named = outcomes?.some((outcome) => outcome !== 'Done') ? outcomes : undefined;
  for (const ctx of found) requireFollowed(ctx, named);
  forgetFaultsIn(wec, found);
  await eachInTurn(wec, found, (ctx) => {
    // Skipping one may have ended what it was in, or the other way round.
    if (ctx.isFinal) return undefined;
    wec.queue.dropRunsOf(ctx);
    ctx.status = 'Running';
    return named ? ctx.completeWithOutcomes(...named) : ctx.complete();
  });
  if (wec.queue.size === 0) wec.settle();
}

/** A flowchart in which nothing follows would end, and so might the workflow, as if all had been done. */
function requireFollowed(ctx: ActivityExecutionContext, outcomes: readonly string[] | undefined): void {
  const missed = missedOutcomes(ctx, outcomes);
  if (missed === undefined) return;
  const wanted = missed.map((name) => `'${name}'`).join(', ');
  throw new AlterationFailure(
    'SkipActivity',
    `Nothing follows activity ${ctx.node.id} by the outcome ${(outcomes ?? ['Done']).map((name) => `'${name}'`).join(', ')}. ` +
      `Its connections leave by ${wanted}: name one of them in outcomes, or use CancelActivity to end its branch`,
  );
}

/**
 * What ends with an activity needs no repair any more, and what surrounds it is not held up by it. Looked for once: an activity may have
 * ten thousand executions.
 */
function forgetFaultsIn(wec: WorkflowExecutionContext, ended: readonly ActivityExecutionContext[]): void {
  const all = new Set(ended);
  const isWithin = (faulted: ActivityExecutionContext): boolean => {
    let around: ActivityExecutionContext | undefined = faulted;
    while (around && !all.has(around)) around = around.parent;
    return around !== undefined;
  };
  recoverFromFaults(wec, wec.faultedContexts().filter(isWithin));
}

/** With a pause after each part of many, in which other work of the process is done. */
async function eachInTurn(
  { engine }: WorkflowExecutionContext,
  executions: readonly ActivityExecutionContext[],
  end: (ctx: ActivityExecutionContext) => unknown,
): Promise<void> {
  for (const [index, ctx] of executions.entries()) {
    if (index > 0 && index % EXECUTIONS_OF_PART === 0) await engine.yield?.();
    const ending = end(ctx);
    if (isPromiseLike(ending)) await ending;
  }
}

/** Runs an activity again, or in addition. A faulted execution continues where it failed, one that waits repeats what it is at. */
async function scheduleActivity(
  wec: WorkflowExecutionContext,
  { onlyFaulted, ...target }: AlterationOf<'ScheduleActivity'>,
  begun: Begun,
): Promise<void> {
  if (wec.subStatus === 'Faulted') wec.reopen();
  if (!wec.isRunning) throw new AlterationFailure('ScheduleActivity', `The instance has ended (${wec.subStatus})`);
  const there = executionsOf(wec, target);
  const existing = target.activityInstanceId === undefined ? there.filter(isFaulted) : there;
  for (const ctx of existing.filter(isFaulted)) begun.add(ctx);
  recoverFromFaults(wec, existing);
  await eachInTurn(wec, existing, (ctx) => {
    // Its container has begun anew meanwhile.
    if (ctx.isFinal) return undefined;
    const again = executeAgain(ctx, begun.has(ctx));
    begun.add(ctx);
    return again;
  });
  // Named twice by one request, it runs again already.
  if (existing.length > 0 || (onlyFaulted && there.length > 0)) return;
  if (target.activityId === undefined)
    throw new AlterationFailure('ScheduleActivity', `No running execution of activity ${nameOf(target)}`);
  await scheduleNew(wec, target.activityId);
}

async function scheduleNew(wec: WorkflowExecutionContext, activityId: string): Promise<void> {
  const nodes = wec.graph.findById(activityId);
  if (nodes.length === 0) throw new AlterationFailure('ScheduleActivity', `The workflow has no activity ${activityId}`);
  const contexts = wec.contexts.values();
  for (const node of nodes) {
    const owner = contexts.find((ctx) => ctx.node === node.parent);
    if (!owner) continue;
    // The container knows what has to follow when its child is done.
    const handled = await owner.sendSignal(new ScheduleChildSignal(node.id));
    if (handled !== true) wec.queue.add({ node, owner });
    return;
  }
  throw new AlterationFailure('ScheduleActivity', `Activity ${activityId} cannot run: its container is not running`);
}

function executionsOf(
  wec: WorkflowExecutionContext,
  { activityId, activityInstanceId }: ActivityTarget,
): ActivityExecutionContext[] {
  if (activityInstanceId === undefined) return wec.contexts.values().filter(({ node }) => node.id === activityId);
  const one = wec.contexts.get(activityInstanceId);
  return one ? [one] : [];
}

const isFaulted = ({ status }: ActivityExecutionContext): boolean => status === 'Faulted';

const nameOf = ({ activityId, activityInstanceId }: ActivityTarget): string => activityInstanceId ?? activityId ?? '';
