import { formatTimeSpan, isWaymarkError } from '@waymark/core';
import { type ScheduleFailure, ScheduleKind, type StoredTrigger, type WorkflowSchedule } from '@waymark/runtime';
import type { CronTriggerPayload, StartAtPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import type { DueWorkRunner } from '../due-work/due-work-runner.js';
import { toDate } from '../triggers/payload-values.js';
import type { ResolvedSchedulingOptions } from '../module/scheduling-options.js';
import { nextOccurrence, policyOf } from '../triggers/trigger-occurrence.js';
import { overlapOf, type TriggerTiming } from '../triggers/trigger-timing.js';

type Shown = Pick<WorkflowSchedule, 'kind' | 'expression' | 'timeZone'>;

/** What a row says, but for what fails on this node. */
export function describeSchedule(
  row: StoredTrigger,
  times: number,
  now: number,
  options: Pick<ResolvedSchedulingOptions, 'misfire'>,
): WorkflowSchedule {
  const { id, name: stimulus, workflowDefinitionId, workflowDefinitionVersionId, activityId } = row;
  const { dueAt, paused, lastFiring } = row;
  return {
    id,
    stimulus,
    ...expressionOf(row),
    ...timingOf(row, options),
    workflowDefinitionId,
    workflowDefinitionVersionId,
    activityId,
    ...(paused && { pausedAt: paused.at }),
    nextTimes: upcoming(row, times),
    ...(dueAt && dueAt.getTime() < now && { overdueMs: now - dueAt.getTime() }),
    ...(lastFiring && {
      lastFiring: {
        scheduledAt: lastFiring.dueAt,
        firedAt: lastFiring.firedAt,
        latenessMs: lastFiring.firedAt.getTime() - lastFiring.dueAt.getTime(),
        result: lastFiring.result,
      },
    }),
  };
}

/** What this node knows of its failures to fire a row. */
export function failureOf(
  runner: DueWorkRunner,
  kind: 'trigger' | 'bookmark',
  id: string,
  dueAt: Date | null | undefined,
): { readonly failure?: ScheduleFailure } {
  const found = dueAt ? runner.failureOf(kind, { id, dueAt }) : undefined;
  if (!found) return {};
  const { attempts, lastError, notBefore } = found;
  return { failure: { attempts, lastError, retryAt: new Date(notBefore) } };
}

function expressionOf({ name, payload }: StoredTrigger): Shown {
  switch (name) {
    case SchedulingStimulus.Timer: {
      const { interval } = payload as TimerTriggerPayload;
      return {
        kind: ScheduleKind.Timer,
        ...expression(typeof interval === 'number' ? formatTimeSpan(interval) : interval),
      };
    }
    case SchedulingStimulus.Cron: {
      const { cronExpression, timeZone = 'UTC' } = payload as CronTriggerPayload;
      return { kind: ScheduleKind.Cron, ...expression(cronExpression), timeZone };
    }
    case SchedulingStimulus.StartAt: {
      const executeAt = toDate((payload as StartAtPayload).executeAt);
      return { kind: ScheduleKind.StartAt, ...expression(executeAt?.toISOString()) };
    }
    default:
      return { kind: ScheduleKind.Other };
  }
}

function timingOf(row: StoredTrigger, options: Pick<ResolvedSchedulingOptions, 'misfire'>): Partial<WorkflowSchedule> {
  const misfire = policyOf(row, options);
  if (misfire === undefined) return {};
  const { jitter, jitterMs, validFrom, validUntil } = row.payload as TriggerTiming;
  const texts = Object.entries({ jitter, validFrom, validUntil }).filter(([, text]) => text !== undefined);
  return {
    misfire,
    overlap: overlapOf(row.payload),
    ...Object.fromEntries(texts),
    ...(jitterMs !== undefined && { jitterMs }),
  };
}

const expression = (text: string | null | undefined): { expression?: string } =>
  text == null ? {} : { expression: String(text) };

function upcoming(row: StoredTrigger, count: number): Date[] {
  const found: Date[] = [];
  let next = row.dueAt ?? null;
  try {
    for (; next && found.length < count; next = nextOccurrence(row, next)) found.push(next);
  } catch (error) {
    // A row that was never validated: firing it says so.
    if (!isWaymarkError(error)) throw error;
  }
  return found;
}
