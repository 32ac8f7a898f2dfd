import { type WorkflowDefinition } from '@waymark/core';
import { parseDate, toOwnMilliseconds } from '@waymark/core/adapter';
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
  if ('why' in wrong) return [{ message: `'${activityId}' ${wrong.why}`, activityId }];
  const { property, must } = wrong;
  const value = JSON.stringify(timing[property]);
  return [{ message: `The custom property '${property}' of '${activityId}' must ${must}, not ${value}.`, activityId }];
}

/** A Timer or Cron that is no longer valid when its first time comes starts nothing. */
export function endWarnings({ dueAt, paused, payload, activityId }: StoredTrigger): DefinitionProblem[] {
  const { validUntil } = payload as TriggerTiming;
  if (dueAt || paused || validUntil === undefined) return [];
  const message = `'${activityId}' never starts a workflow: its 'validUntil' (${validUntil}) is earlier than its first time. Set a later one, or remove it.`;
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
  const message = `StartAt '${activityId}' fires once, so its ${properties} ${names} ${have} no effect. Remove ${them}.`;
  return [{ message, activityId }];
}

/** A value that is not one of those that its property may have: it `must …`. Or what does not go together, as the rest of a sentence. */
type Wrong = { readonly property: keyof TriggerTiming } & ({ readonly must: string } | { readonly why: string });

/** The first property that is wrong. */
export function wrongTiming(timing: TriggerTiming, definition?: ValidationContext['definition']): Wrong | undefined {
  return wrongPolicy(timing, definition) ?? wrongTime(timing);
}

function wrongPolicy(
  { misfire, overlap }: TriggerTiming,
  definition: ValidationContext['definition'],
): Wrong | undefined {
  if (misfire !== undefined && !isMisfirePolicy(misfire))
    return { property: 'misfire', must: `be 'skip', 'once' or 'all'` };
  if (overlap === undefined) return undefined;
  if (!isOverlapPolicy(overlap))
    return { property: 'overlap', must: `be 'allow', 'skip', 'queue' or 'cancelPrevious'` };
  if (overlap === OverlapPolicy.Queue && misfire === MisfirePolicy.Skip)
    return {
      property: 'misfire',
      why: "has overlap 'queue', which makes occurrences late, so its misfire must be 'once' or 'all', not 'skip'.",
    };
  if (overlap === OverlapPolicy.Allow || !definition || !hasStrategy(definition)) return undefined;
  return { property: 'overlap', why: besideStrategy(overlap) };
}

/** Why an overlap policy is refused for a workflow with an activation strategy. */
export const besideStrategy = (overlap: OverlapPolicy): string =>
  `has overlap '${overlap}', and its workflow has an activation strategy: both would decide about the same start. Remove one of them.`;

export function hasStrategy({ options }: Pick<WorkflowDefinition, 'options'>): boolean {
  const strategy = options.activationStrategyType;
  return Boolean(strategy) && !/allowalways/i.test(strategy!);
}

function wrongTime({ jitter, validFrom, validUntil }: TriggerTiming): Wrong | undefined {
  const jitterMs = jitter === undefined ? 0 : toOwnMilliseconds(jitter);
  if (jitterMs === undefined || jitterMs < 0 || jitterMs > LONGEST_JITTER_MS)
    return { property: 'jitter', must: `be a time span from 0 to 24 hours, such as '00:05:00'` };
  const from = instant(validFrom);
  const until = instant(validUntil);
  if (Number.isNaN(from)) return { property: 'validFrom', must: 'be a date and time' };
  if (Number.isNaN(until)) return { property: 'validUntil', must: 'be a date and time' };
  if (from !== undefined && until !== undefined && until <= from)
    return { property: 'validUntil', must: `be later than 'validFrom'` };
  return undefined;
}

/** NaN for what is not a date. */
function instant(text: unknown): number | undefined {
  if (text === undefined) return undefined;
  return (typeof text === 'string' ? parseDate(text)?.getTime() : undefined) ?? Number.NaN;
}
