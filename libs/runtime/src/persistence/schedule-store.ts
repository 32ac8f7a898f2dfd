import type { ScheduleClaim, ScheduleOccurrenceClaim } from './burst-commit.js';
import type { OutboxMessage, LastFiring, PausedTrigger, StoredTrigger } from './records.js';
import type { ScheduledTriggerFilter, UpcomingOptions } from './lookup-stores.js';
import type { Page, PagedResult } from './paging.js';

/** What the application has scheduled under an id of its own: when something is to be done, and what. */
export interface StoredSchedule {
  /** Chosen by the application. */
  id: string;
  /** Identifies this form of the row. Scheduling again makes another one, so that no node fires what was replaced. */
  token: string;
  /** How its times are given, as of a trigger: `Elsa.StartAt`, `Elsa.Timer` or `Elsa.Cron`. */
  name: string;
  /** Hash of name and payload: rows with the same hash have the same times. */
  hash: string;
  /** Its times, as of a trigger of that name. */
  payload: unknown;
  /** What to do then. Values that the application gave are encrypted where it has keys. */
  request: unknown;
  /** The workflow that it starts. */
  workflowDefinitionId?: string;
  /** The instance that it resumes. */
  workflowInstanceId?: string;
  /** When it was scheduled in this form. */
  createdAt: Date;
  /** When it fires next; absent while it is paused. */
  dueAt?: Date;
  /** Since when it is paused, and which occurrence it would have fired next. */
  paused?: PausedTrigger;
  /** The latest occurrence that was claimed. */
  lastFiring?: LastFiring;
  /** Set by the store where a part of the row cannot be read: that part is undefined, and it is not fired. */
  unreadable?: Error;
}

/** Schedules that are due or will be soon. */
export interface UpcomingSchedules {
  /** Earliest first. */
  readonly schedules: StoredSchedule[];
  /** The time by which they are due or not. Undefined when nothing was found. */
  readonly now: Date | undefined;
}

/** Where a schedule comes from. */
export const ScheduleOrigin = {
  /** A trigger of a published workflow. */
  Trigger: 'Trigger',
  /** The application: `IWorkflowScheduler`. */
  Application: 'Application',
} as const;
export type ScheduleOrigin = (typeof ScheduleOrigin)[keyof typeof ScheduleOrigin];

/** All given members must hold. */
export interface ListedScheduleFilter extends ScheduledTriggerFilter {
  /** Only triggers, or only schedules of the application. @default both */
  readonly origin?: ScheduleOrigin | undefined;
}

/** A trigger, or a schedule of the application. */
export type ListedSchedule = { readonly trigger: StoredTrigger } | { readonly schedule: StoredSchedule };

/** Schedules of the application. */
export interface ScheduleStore {
  /**
   * Writes a schedule in place of the one with its id. If the times are the same (`hash`), due time, pause and last firing are kept;
   * otherwise only the pause is.
   */
  put(schedule: StoredSchedule): Promise<void>;
  /**
   * Deletes a schedule. Returns false if there was none. @param token deletes only the form of the row with this token. @default deletes
   * any
   */
  delete(id: string, token?: string): Promise<boolean>;
  /** Returns schedules by their ids, in order of id. */
  findMany(ids: readonly string[]): Promise<StoredSchedule[]>;
  /** Those that are due or will be soon, earliest first. */
  findUpcoming(options: UpcomingOptions): Promise<UpcomingSchedules>;
  /**
   * Claims an occurrence and stores what it sends, in one transaction. If false, it is not due at that time any more, or was
   * scheduled anew, and nothing was written (W4).
   */
  fire(firing: ScheduleClaim, messages: readonly OutboxMessage[]): Promise<boolean>;
  /**
   * Claims occurrences of several schedules, each at most once, and stores what they send, in one transaction. Those that another node has
   * claimed, or is claiming just now, are left to it (W4): nothing is written for them, and nothing waits.
   * @returns ids of the schedules whose occurrence is the caller's
   */
  claim(claims: readonly ScheduleOccurrenceClaim[]): Promise<ReadonlySet<string>>;
  /** Takes the due time away and keeps it as `paused`. False when it is not due at `paused.dueAt` any more. */
  pause(id: string, paused: PausedTrigger): Promise<boolean>;
  /** Ends a pause: it is due at `dueAt` from now on. False when it is not paused since `pausedAt`. */
  unpause(id: string, pausedAt: Date, dueAt: Date): Promise<boolean>;
  /** Triggers with a due time and schedules of the application, by due time, those without one last. */
  findListed(filter: ListedScheduleFilter, page: Page): Promise<PagedResult<ListedSchedule>>;
}
