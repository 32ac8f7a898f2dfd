import type { TimeSpanInput } from '@waymark/core';
import type { TriggerTiming } from '../triggers/trigger-timing.js';

/**
 * Payload of a Timer trigger. Nothing in it depends on when it was made: a workflow that is published again keeps its row,
 * and with the row's due time its rhythm.
 */
export interface TimerTriggerPayload extends TriggerTiming {
  /** Interval as time span text, or in milliseconds. */
  readonly interval: TimeSpanInput | null;
}

/** Payload of a Timer in the middle of a workflow. */
export interface TimerBookmarkPayload {
  /** When it is resumed. */
  readonly resumeAt: Date;
}

/** Payload of a StartAt trigger, or of a bookmark, which has the time only. */
export interface StartAtPayload extends TriggerTiming {
  /** Its time; null: never. */
  readonly executeAt: Date | null;
}

/** Payload of a Cron trigger. */
export interface CronTriggerPayload extends TriggerTiming {
  /** With 5 or 6 fields; null: it never fires. */
  readonly cronExpression: string | null;
  /** IANA name. @default 'UTC' */
  readonly timeZone?: string;
}

/** Payload of a Cron in the middle of a workflow. */
export interface CronBookmarkPayload {
  /** When it is resumed. */
  readonly executeAt: Date;
  /** The expression from which that time was computed. */
  readonly cronExpression: string;
}

/** Payload of a Delay. */
export interface DelayPayload {
  /** When it is resumed. */
  readonly resumeAt: Date;
}
