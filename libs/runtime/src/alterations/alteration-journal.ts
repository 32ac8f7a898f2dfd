import { type MigrationReport, type WorkflowExecutionContext } from '@waymark/core';
import { REDACTED } from '@waymark/core/adapter';
import type { Alteration } from '../persistence/alteration.js';
import { slotOf } from './apply-alteration.js';

/** Event name of the journal entries that say what was altered. */
const ALTERED = 'Altered';

/** The author of an alteration, and its result. */
interface RecordedFor {
  readonly planId?: string;
  readonly jobId?: string;
  readonly by?: string | undefined;
  readonly migrated?: MigrationReport | undefined;
}

/** Writes the alteration to the journal. An instance that has not begun has no activity to which the entry could belong. */
export function recordAlteration(
  wec: WorkflowExecutionContext,
  alteration: Alteration,
  { planId, jobId, by, migrated }: RecordedFor = {},
): void {
  const { rootContext } = wec;
  if (!rootContext) return;
  const payload: Record<string, unknown> = { Alteration: shown(wec, alteration) };
  if (planId !== undefined) payload.PlanId = planId;
  if (jobId !== undefined) payload.JobId = jobId;
  if (by !== undefined) payload.By = by;
  if (migrated && alteration.type === 'Migrate') payload.FromVersion = migrated.fromVersion;
  wec.journal?.log(rootContext, ALTERED, { message: describe(alteration), payload });
}

/** A variable's value is a secret by the name or the id of the variable, or because it is stored encrypted. */
function shown(wec: WorkflowExecutionContext, alteration: Alteration): Alteration {
  if (alteration.type !== 'ModifyVariable') return alteration;
  const { variableId } = alteration;
  const variable = slotOf(wec, variableId)?.slot.variable;
  if (variable?.isEncrypted) return { ...alteration, value: REDACTED };
  const named = (by: string, value: unknown) => wec.secrets.shown({ [by]: value })[by];
  return { ...alteration, value: named(variableId, named(variable?.name ?? variableId, alteration.value)) };
}

function describe(alteration: Alteration): string {
  switch (alteration.type) {
    case 'Migrate':
      return `Migrate to version ${alteration.targetVersion}`;
    case 'ModifyVariable':
      return `ModifyVariable ${alteration.variableId}`;
    case 'ScheduleActivity':
    case 'CancelActivity':
    case 'SkipActivity':
      return `${alteration.type} ${alteration.activityInstanceId ?? alteration.activityId}`;
    case 'UndoMigration':
    case 'Cancel':
      return alteration.type;
  }
}
