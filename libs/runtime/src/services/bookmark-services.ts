import type { Constructor } from '@waymark/core';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import type { RunInstanceResult } from './instance-services.js';
import type { StimulusArguments } from './stimulus-services.js';
import type { StimulusType } from './typed-stimuli.js';
import type { StoredBookmark } from '../persistence/records.js';

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
   * Resumes every instance that waits at an activity of that type with that stimulus, several at a time. When more wait than
   * `fanOutLimit` says, the others are resumed from the outbox, on any node, each once; without `transient` and `signal`.
   * @param activity its class, or a stimulus name
   * @returns one result per instance resumed by then, `fanOutLimit` at most; empty when none waited
   */
  abstract resume(
    activity: Constructor | string,
    stimulus: unknown,
    options?: ResumeOptions,
  ): Promise<RunInstanceResult[]>;
  /** The same by the type of the stimulus, which says what belongs to it. */
  abstract resume<S, I>(
    stimulusType: StimulusType<S, I>,
    stimulus: NoInfer<S>,
    ...options: StimulusArguments<ResumeOptions, I>
  ): Promise<RunInstanceResult[]>;
  /**
   * Resumes one bookmark. With `workflowInstanceId` it is taken for one of that instance, and not looked up first.
   * @throws BookmarkNotFoundError, BookmarkConsumedError
   */
  abstract resumeById(bookmarkId: string, options?: ResumeOptions): Promise<RunInstanceResult>;
  /**
   * Resumes one bookmark as the store has shown it. Asked for several of one instance at the same time, it resumes them in
   * one burst, in that order. @throws BookmarkNotFoundError, BookmarkConsumedError
   */
  resumeWaiting(bookmark: StoredBookmark, options: ResumeOptions = {}): Promise<RunInstanceResult> {
    return this.resumeById(bookmark.id, { ...options, workflowInstanceId: bookmark.workflowInstanceId });
  }
  /** Resumes all that match, as `resume` does. @throws EmptyFilterError */
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
