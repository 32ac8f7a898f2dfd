import type { ActivityExecutionContextState, ScheduledActivityState, WorkflowState } from '../state/workflow-state.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import { Callbacks } from './extract-callbacks.js';
import { extractInstance, extractQueued, sharing } from './extract-parts.js';
import { extractResting, extractRestingInParts, mayRest } from './extract-resting.js';
import { eachInParts } from '../values/in-parts.js';
import type { WorkflowExecutionContext } from './workflow-execution-context.js';

/** What must be stored of a running instance: contexts innermost first, the root last. */
export function extractState(wec: WorkflowExecutionContext): WorkflowState {
  if (mayRest(wec)) return extractResting(wec);
  const active = executionsOf(wec);
  const extract = sharing();
  const activityExecutionContexts = active.map((ctx) => extract(ctx));
  const callbacks = new Callbacks();
  for (const ctx of active.toReversed()) callbacks.addOf(ctx);
  const scheduledActivities = wec.queue.list().map((item) => extractQueued(wec, item, callbacks));
  return extractInstance(wec, active, { activityExecutionContexts, scheduledActivities, callbacks });
}

/** The same of a large instance that is at rest, with a pause after each part of it. */
export async function extractInParts(
  wec: WorkflowExecutionContext,
  pause: () => Promise<void>,
): Promise<WorkflowState> {
  if (mayRest(wec)) return extractRestingInParts(wec, pause);
  const extract = sharing();
  const states: ActivityExecutionContextState[] = [];
  const { isBeingTaken } = wec;
  wec.isBeingTaken = true;
  try {
    await restoreRest(wec, pause);
    const active = executionsOf(wec);
    await eachInParts(active, (ctx) => states.push(extract(ctx)), pause);
    await pause();
    const callbacks = new Callbacks();
    await eachInParts(active.toReversed(), (ctx) => callbacks.addOf(ctx), pause);
    const scheduledActivities: ScheduledActivityState[] = [];
    await eachInParts(wec.queue.list(), (item) => scheduledActivities.push(extractQueued(wec, item, callbacks)), pause);
    await pause();
    return extractInstance(wec, active, { activityExecutionContexts: states, scheduledActivities, callbacks });
  } finally {
    wec.isBeingTaken = isBeingTaken;
  }
}

/** What the burst has left at rest, and which is to be stored like all else. */
async function restoreRest(
  { contexts: { resting }, bookmarks }: WorkflowExecutionContext,
  pause: () => Promise<void>,
): Promise<void> {
  if (!resting) return;
  await resting.wakeInParts(resting.ids(), pause);
  await pause();
  await eachInParts([...bookmarks.keys()], (id) => void bookmarks.get(id), pause);
  await pause();
}

function executionsOf(wec: WorkflowExecutionContext): ActivityExecutionContext[] {
  const active = wec.contexts.values().reverse();
  if (wec.rootContext && !wec.contexts.has(wec.rootContext)) active.push(wec.rootContext);
  return active;
}
