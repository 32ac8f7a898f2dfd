import type { Constructor } from '@waymark/core';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import type { RunInstanceResult } from './instance-services.js';
import type { StimulusArguments } from './stimulus-services.js';
import type { StimulusType } from './typed-stimuli.js';
import type { StoredBookmark } from '../persistence/records.js';

/** What a resume brings along. */
export interface ResumeOptions {
  /** Input for the activity that goes on. @default none */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What is kept with the instance from then on. @default none */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
  /** Values that only the burst has: they are not stored. @default none */
  readonly transient?: Iterable<readonly [unknown, unknown]>;
  /** Aborts what the burst still waits for. @default none */
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
   * @throws BookmarkNotFoundError (`WM3004`), BookmarkConsumedError (`WM7002`)
   */
  abstract resumeById(bookmarkId: string, options?: ResumeOptions): Promise<RunInstanceResult>;
  /**
   * Resumes one bookmark as the store has shown it. Asked for several of one instance at the same time, it resumes them in
   * one burst, in that order. @throws BookmarkNotFoundError (`WM3004`), BookmarkConsumedError (`WM7002`)
   */
  resumeWaiting(bookmark: StoredBookmark, options: ResumeOptions = {}): Promise<RunInstanceResult> {
    return this.resumeById(bookmark.id, { ...options, workflowInstanceId: bookmark.workflowInstanceId });
  }
  /** Resumes all that match, as `resume` does. @throws EmptyFilterError (`WM7008`) */
  abstract resumeMany(filter: BookmarkFilter, options?: ResumeOptions): Promise<RunInstanceResult[]>;
}

/** A resume that is kept until its bookmark is there. */
export interface NewBookmarkQueueItem {
  /** The same key is queued once. */
  readonly idempotencyKey?: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
  /** Id of the bookmark. */
  readonly bookmarkId?: string;
  /** Hash of the stimulus. @default any */
  readonly stimulusHash?: string;
  /** Id of the execution of the activity. */
  readonly activityInstanceId?: string;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** Stimulus name. */
  readonly activityTypeName?: string;
  /** Input, by name. @default none */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What is kept with the instance. @default none */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** Keeps resumes that may arrive before their bookmark (W5). */
export abstract class IBookmarkQueue {
  /** Stored, then delivered as soon as a bookmark matches. @throws EmptyFilterError (`WM7008`) */
  abstract enqueue(item: NewBookmarkQueueItem): Promise<string>;
  /** Delivers again what became a dead letter. */
  abstract replay(deadLetterId: string): Promise<'Replayed' | 'NotFound' | 'NotReplayable'>;
}
