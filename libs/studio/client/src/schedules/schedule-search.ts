import type { ScheduleKind, ScheduleOrigin } from '../api/schedules.js';
import { oneOf, pageOf, textOf } from '../app/search-params.js';

export const scheduleKinds = ['Timer', 'Cron', 'StartAt'] as const satisfies readonly ScheduleKind[];
export const scheduleOrigins = ['Trigger', 'Application'] as const satisfies readonly ScheduleOrigin[];
export const scheduleStates = ['running', 'paused'] as const;
/** What may wait for a time. */
export const timedStimuli = ['Elsa.Delay', 'Elsa.Timer', 'Elsa.Cron', 'Elsa.StartAt'] as const;

/** What the address of the schedules says. */
export interface ScheduleSearch {
  /** @default the schedules */
  readonly view?: 'waiting' | undefined;
  /** Id of the definition. */
  readonly workflow?: string | undefined;
  readonly kind?: ScheduleKind | undefined;
  readonly origin?: ScheduleOrigin | undefined;
  readonly state?: (typeof scheduleStates)[number] | undefined;
  readonly instance?: string | undefined;
  readonly activity?: (typeof timedStimuli)[number] | undefined;
  /** From 1. */
  readonly page?: number | undefined;
}

export const scheduleSearch = (search: Record<string, unknown>): ScheduleSearch => ({
  view: oneOf(search.view, ['waiting']),
  workflow: textOf(search.workflow),
  kind: oneOf(search.kind, scheduleKinds),
  origin: oneOf(search.origin, scheduleOrigins),
  state: oneOf(search.state, scheduleStates),
  instance: textOf(search.instance),
  activity: oneOf(search.activity, timedStimuli),
  page: pageOf(search.page),
});
