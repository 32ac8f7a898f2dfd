import type { Constructor } from '@waymark/core';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import type { RunInstanceResult } from '../instances/instance-services.js';

export interface ResumeOptions {
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly correlationId?: string;
  readonly workflowInstanceId?: string;
  readonly transient?: Iterable<readonly [unknown, unknown]>;
  readonly signal?: AbortSignal;
}

/** Resumes waiting instances. */
export abstract class IBookmarkResumer {
  /**
   * Resumes every instance that waits at an activity of that type with that stimulus.
   * @param activity its class, or a stimulus name
   * @returns one result per resumed instance; empty when nobody waited
   */
  abstract resume(
    activity: Constructor | string,
    stimulus: unknown,
    options?: ResumeOptions,
  ): Promise<RunInstanceResult[]>;
  /** Resumes one bookmark. @throws BookmarkNotFoundError, BookmarkConsumedError */
  abstract resumeById(bookmarkId: string, options?: ResumeOptions): Promise<RunInstanceResult>;
  /** Resumes all that match. @throws EmptyFilterError */
  abstract resumeMany(filter: BookmarkFilter, options?: ResumeOptions): Promise<RunInstanceResult[]>;
}

export interface NewBookmarkQueueItem {
  /** The same key is queued once. */
  readonly idempotencyKey?: string;
  readonly workflowInstanceId?: string;
  readonly bookmarkId?: string;
  readonly stimulusHash?: string;
  readonly activityInstanceId?: string;
  readonly correlationId?: string;
  /** Stimulus name. */
  readonly activityTypeName?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Keeps resumes that may arrive before their bookmark (W5). */
export abstract class IBookmarkQueue {
  /** Stored, then delivered as soon as a bookmark matches. @throws EmptyFilterError */
  abstract enqueue(item: NewBookmarkQueueItem): Promise<string>;
  /** Delivers again what became a dead letter. */
  abstract replay(deadLetterId: string): Promise<'Replayed' | 'NotFound' | 'NotReplayable'>;
}
