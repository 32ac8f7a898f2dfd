import { type WorkflowDefinition } from '@waymark/core';
import { parseDate, toMilliseconds } from '@waymark/core/adapter';
import type { DefinitionProblem, StoredTrigger } from '@waymark/runtime';
import { isMisfirePolicy, MisfirePolicy } from './misfire-policy.js';
import { isOverlapPolicy, OverlapPolicy } from './overlap-policy.js';
import type { TriggerTiming } from './trigger-timing.js';

export interface ValidationContext {
  readonly activityId: string;
  readonly definition?: Pick<WorkflowDefinition, 'options'>;
}

/** Longer than that, a jitter is not one any more. */
const LONGEST_JITTER_MS = 86_400_000;

/** What is wrong with the custom properties of a Timer, Cron or StartAt: the first of them, so that one mistake is reported once. */
export function timingProblems(timing: TriggerTiming, context: ValidationContext): DefinitionProblem[] {
  const { activityId } = context;
  const wrong = wrongTiming(timing, context.definition);
  if (!wrong) return [];
  const [property, must] = wrong;
  const value = JSON.stringify(timing[property]);
  return [{ message: `The custom property '${property}' of '${activityId}' must ${must}, not ${value}.`, activityId }];
}

/** A Timer or Cron that is no longer valid when its first time comes starts nothing. */
export function endWarnings({ dueAt, paused, payload, activityId }: StoredTrigger): DefinitionProblem[] {
  const { validUntil } = payload as TriggerTiming;
  if (dueAt || paused || validUntil === undefined) return [];
  const message = `'${activityId}' starts nothing: its 'validUntil', ${validUntil}, is earlier than its first time. Publish it with a later one, or without.`;
  return [{ message, activityId }];
}

/** Custom properties that are about a series of times. */
const OF_SERIES = ['misfire', 'validFrom', 'validUntil'] as const;

/** What has no effect on a StartAt. Without a warning, its author would rely on it. */
export function seriesWarnings({ payload, activityId }: StoredTrigger): DefinitionProblem[] {
  const given = OF_SERIES.filter((property) => (payload as TriggerTiming)[property] !== undefined);
  if (given.length === 0) return [];
  const names = given.map((property) => `'${property}'`).join(', ');
  const [properties, have, them] =
    given.length === 1 ? ['custom property', 'has', 'it'] : ['custom properties', 'have', 'them'];
  const message = `StartAt '${activityId}' has one time only, so its ${properties} ${names} ${have} no effect. Remove ${them}.`;
  return [{ message, activityId }];
}

type Wrong = readonly [property: keyof TriggerTiming, must: string];

/** The first property that is wrong, and what it must do or be. */
export function wrongTiming(timing: TriggerTiming, definition?: ValidationContext['definition']): Wrong | undefined {
  return wrongPolicy(timing, definition) ?? wrongTime(timing);
}

function wrongPolicy(
  { misfire, overlap }: TriggerTiming,
  definition: ValidationContext['definition'],
): Wrong | undefined {
  if (misfire !== undefined && !isMisfirePolicy(misfire)) return ['misfire', `be 'skip', 'once' or 'all'`];
  if (overlap === undefined) return undefined;
  if (!isOverlapPolicy(overlap)) return ['overlap', `be 'allow', 'skip', 'queue' or 'cancelPrevious'`];
  if (overlap === OverlapPolicy.Queue && misfire === MisfirePolicy.Skip)
    return ['misfire', `be 'once' or 'all' with overlap 'queue', which makes occurrences late`];
  if (overlap === OverlapPolicy.Allow || !definition || !hasStrategy(definition)) return undefined;
  return ['overlap', BESIDE_STRATEGY];
}

/** What `overlap` must do for a workflow with an activation strategy. */
export const BESIDE_STRATEGY =
  'be left out, or the activation strategy of the workflow: both would decide about the same start';

export function hasStrategy({ options }: Pick<WorkflowDefinition, 'options'>): boolean {
  const strategy = options.activationStrategyType;
  return Boolean(strategy) && !/allowalways/i.test(strategy!);
}

function wrongTime({ jitter, validFrom, validUntil }: TriggerTiming): Wrong | undefined {
  const jitterMs = jitter === undefined ? 0 : toMilliseconds(jitter);
  if (jitterMs === undefined || jitterMs < 0 || jitterMs > LONGEST_JITTER_MS)
    return ['jitter', `be a time span from 0 to 24 hours, such as '00:05:00'`];
  const from = instant(validFrom);
  const until = instant(validUntil);
  if (Number.isNaN(from)) return ['validFrom', 'be a date and time'];
  if (Number.isNaN(until)) return ['validUntil', 'be a date and time'];
  if (from !== undefined && until !== undefined && until <= from) return ['validUntil', `be later than 'validFrom'`];
  return undefined;
}

/** NaN for what is not a date. */
function instant(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  return (typeof text === 'string' ? parseDate(text)?.getTime() : undefined) ?? Number.NaN;
}
