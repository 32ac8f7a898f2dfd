import { isWaymarkError, type WaymarkError } from '@waymark/core';
import { formatTimeSpan } from '@waymark/core/adapter';
import {
  type ScheduleFailure,
  ScheduleKind,
  ScheduleOrigin,
  type WorkflowSchedule,
  type StoredTrigger,
  type UnreadableRow,
} from '@waymark/runtime';
import { type ListedSchedule, type StoredSchedule } from '@waymark/runtime/adapter';
import type { CronTriggerPayload, StartAtPayload, TimerTriggerPayload } from '../activities/payloads.js';
import { SchedulingStimulus } from '../activities/stimulus-names.js';
import type { DueWorkRunner } from '../due-work/due-work-runner.js';
import { toDate } from '../triggers/payload-values.js';
import type { ResolvedSchedulingOptions } from '../module/scheduling-options.js';
import { ParsedCrons } from '../triggers/parsed-crons.js';
import { nextOccurrence, policyOf, type TimedRow } from '../triggers/trigger-occurrence.js';
import { overlapOf, type TriggerTiming } from '../triggers/trigger-timing.js';

/** A trigger, or a schedule of the application. */
export type ScheduleRow = StoredSchedule | StoredTrigger;

type Shown = Pick<WorkflowSchedule, 'kind' | 'expression' | 'timeZone'>;

/** What a row says, but for what fails on this node. */
export function describeSchedule(
  listed: ListedSchedule,
  times: number,
  now: number,
  options: Pick<ResolvedSchedulingOptions, 'misfire'>,
): WorkflowSchedule {
  const row = rowOf(listed);
  const { id, name: stimulus, dueAt, paused, lastFiring, unreadable } = row;
  return {
    id,
    stimulus,
    // Its times are in what cannot be read, but for the next one.
    ...(unreadable
      ? { kind: kindOf(stimulus), ...unreadableOf(row) }
      : { ...expressionOf(row), ...timingOf(row, options) }),
    ...targetOf(listed),
    ...(paused && { pausedAt: paused.at }),
    nextTimes: unreadable ? [dueAt ?? []].flat().slice(0, times) : upcoming(row, times),
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

/** Why a part of a row is not shown. */
export function unreadableOf({ unreadable }: { readonly unreadable?: Error }): { readonly unreadable?: UnreadableRow } {
  if (!unreadable) return {};
  const { message } = unreadable;
  return { unreadable: { code: (unreadable as WaymarkError).code, message } };
}

const kindOf = (stimulus: string): ScheduleKind =>
  Object.values(ScheduleKind).find((kind) => kind !== ScheduleKind.Other && SchedulingStimulus[kind] === stimulus) ??
  ScheduleKind.Other;

export const rowOf = (listed: ListedSchedule): ScheduleRow => ('trigger' in listed ? listed.trigger : listed.schedule);

function targetOf(listed: ListedSchedule): Pick<WorkflowSchedule, 'origin'> & Partial<WorkflowSchedule> {
  if ('trigger' in listed) {
    const { workflowDefinitionId, workflowDefinitionVersionId, activityId } = listed.trigger;
    return { origin: ScheduleOrigin.Trigger, workflowDefinitionId, workflowDefinitionVersionId, activityId };
  }
  const { workflowDefinitionId, workflowInstanceId } = listed.schedule;
  return {
    origin: ScheduleOrigin.Application,
    ...(workflowDefinitionId !== undefined && { workflowDefinitionId }),
    ...(workflowInstanceId !== undefined && { workflowInstanceId }),
  };
}

/** What this node knows of its failures to fire a row. */
export function failureOf(
  runner: DueWorkRunner,
  kind: 'trigger' | 'schedule' | 'bookmark',
  id: string,
  dueAt: Date | null | undefined,
): { readonly failure?: ScheduleFailure } {
  const found = dueAt ? runner.failureOf(kind, { id, dueAt }) : undefined;
  if (!found) return {};
  const { attempts, lastError, notBefore } = found;
  return { failure: { attempts, lastError, retryAt: new Date(notBefore) } };
}

function expressionOf({ name, payload }: TimedRow): Shown {
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

function timingOf(row: TimedRow, options: Pick<ResolvedSchedulingOptions, 'misfire'>): Partial<WorkflowSchedule> {
  const misfire = policyOf(row, options);
  const isSeries = misfire !== undefined;
  if (!isSeries && row.name !== SchedulingStimulus.StartAt) return {};
  const { overlap, jitter, jitterMs, validFrom, validUntil } = row.payload as TriggerTiming;
  const hasOverlap = isSeries || overlap !== undefined;
  // Of a StartAt, only what has an effect on it.
  const shown = { jitter, jitterMs, ...(isSeries && { misfire, validFrom, validUntil }) };
  return {
    ...Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined)),
    ...(hasOverlap && { overlap: overlapOf(row.payload) }),
  };
}

const expression = (text: string | null | undefined): { expression?: string } =>
  text == null ? {} : { expression: String(text) };

function upcoming(row: ScheduleRow, count: number): Date[] {
  const found: Date[] = [];
  const crons = new ParsedCrons();
  let next = row.dueAt ?? null;
  try {
    while (next && found.length < count) {
      found.push(next);
      next = nextOccurrence(row, next, undefined, (cron, after) => crons.next(cron, after));
    }
  } catch (error) {
    // A row that was never validated: firing it says so.
    if (!isWaymarkError(error)) throw error;
  }
  return found;
}
