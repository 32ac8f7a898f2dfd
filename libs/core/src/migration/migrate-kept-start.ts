import type { ActivityNode } from '../graph/activity-node.js';
import type { WorkflowState } from '../state/workflow-state.js';
import type { Counterparts } from './counterparts.js';
import { typeOf } from './find-problems.js';
import type { MigrationProblem } from './migration-report.js';

interface MovedStart {
  /** By which the other version means the trigger whose start is kept for a retry. */
  readonly triggerActivityId?: string;
  /** Why there is none: what the start has brought would be lost, or pass another trigger. */
  readonly problem?: MigrationProblem;
}

/** A start that is kept for a retry is that of the trigger's counterpart. */
export function moveKeptStart({ triggerActivityId }: WorkflowState, counterparts: Counterparts): MovedStart {
  const trigger = triggerActivityId === undefined ? undefined : counterparts.from.findTrigger(triggerActivityId);
  if (!trigger) return {};
  const to = counterparts.of(trigger);
  const id = to && counterparts.to.triggerIdOf(to);
  // Its id may mean another one there, which may start workflows while this one may not.
  if (!to || id === undefined || counterparts.to.findTrigger(id) !== to)
    return refused('NoCounterpart', trigger, 'the other version has no such trigger there');
  if (typeOf(trigger) !== typeOf(to))
    return refused('OtherType', trigger, `'${to.id}' of the other version is of type ${typeOf(to)}`);
  return { triggerActivityId: id };
}

function refused(code: MigrationProblem['code'], trigger: ActivityNode, why: string): MovedStart {
  const message =
    `The start by '${trigger.id}' (${typeOf(trigger)}) is kept for a retry of what has failed, and ${why}. ` +
    'Map it to an activity of its own type, or skip or cancel what has failed first.';
  return { problem: { code, message, activityId: trigger.id } };
}
