import type { TimeSpanInput } from '@waymark/core';
import type { TriggerTiming } from '../triggers/trigger-timing.js';

/**
 * Payload of a Timer trigger. Nothing in it depends on when it was made: a workflow that is published again keeps its row,
 * and with the row's due time its rhythm.
 */
export interface TimerTriggerPayload extends TriggerTiming {
  /** Time span text, or milliseconds. */
  readonly interval: TimeSpanInput | null;
}

export interface TimerBookmarkPayload {
  readonly resumeAt: Date;
}

/** Payload of a StartAt trigger or bookmark. */
export interface StartAtPayload {
  readonly executeAt: Date | null;
}

export interface CronTriggerPayload extends TriggerTiming {
  readonly cronExpression: string | null;
  /** IANA name. @default 'UTC' */
  readonly timeZone?: string;
}

export interface CronBookmarkPayload {
  readonly executeAt: Date;
  readonly cronExpression: string;
}

export interface DelayPayload {
  readonly resumeAt: Date;
}
