import type { MisfirePolicy } from '../triggers/misfire-policy.js';

/**
 * Payload of a Timer trigger. Nothing in it depends on when it was made: a workflow that is published again keeps its row,
 * and with the row's due time its rhythm.
 */
export interface TimerTriggerPayload {
  /** Time span text. */
  readonly interval: string | null;
  /** From the custom property `misfire` of the activity. */
  readonly misfire?: MisfirePolicy;
}

export interface TimerBookmarkPayload {
  readonly resumeAt: Date;
}

/** Payload of a StartAt trigger or bookmark. */
export interface StartAtPayload {
  readonly executeAt: Date | null;
}

export interface CronTriggerPayload {
  readonly cronExpression: string | null;
  /** IANA name. @default 'UTC' */
  readonly timeZone?: string;
  /** From the custom property `misfire` of the activity. */
  readonly misfire?: MisfirePolicy;
}

export interface CronBookmarkPayload {
  readonly executeAt: Date;
  readonly cronExpression: string;
}

export interface DelayPayload {
  readonly resumeAt: Date;
}
