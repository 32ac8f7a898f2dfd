import type { Constructor } from '@waymark/core';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import type { RunInstanceResult } from './instance-services.js';
import type { StimulusArguments } from './stimulus-services.js';
import type { StimulusType } from './typed-stimuli.js';
import type { StoredBookmark } from '../persistence/records.js';

/** Options of a resume. A recipient that is given as `undefined` or null is refused with `UndefinedRecipientError` (`WM1057`). */
export interface ResumeOptions {
  /** Input for the resumed activity. @default none */
  readonly input?: Readonly<Record<string, unknown>> | undefined;
  /** Properties to store with the instance. @default none */
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  /** Correlation id of the instance: its business key. @default every instance that waits */
  readonly correlationId?: string | undefined;
  /** Id of the workflow instance. @default every instance that waits */
  readonly workflowInstanceId?: string | undefined;
  /** Objects for this burst only; they are not stored. @default none */
  readonly transient?: Iterable<readonly [unknown, unknown]> | undefined;
  /** Aborts the burst's pending asynchronous work. @default none */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Resumes waiting instances.
 * @example
 * const results = await resumer.resume(ManagerApproval, { requestId }, { input: { approved: true, by: 'mia' } });
 * if (results.length === 0) throw new NotFoundException(`No request ${requestId} waits for a decision.`);
 */
export abstract class IBookmarkResumer {
  /**
   * Resumes all instances that wait for that stimulus at an activity of that type, several at a time. Instances beyond
   * `fanOutLimit` are resumed from the outbox, on any node, each once; without `transient` and `signal`.
   * @param activity class of the activity, or a stimulus name
   * @returns one result per instance resumed by then, `fanOutLimit` at most; empty when none waited
   * @throws the first error of a resume, when all have been tried; UndefinedRecipientError (`WM1057`), and
   *   `WM3005` while the node is paused or shut down
   */
  abstract resume(
    activity: Constructor | string,
    stimulus: unknown,
    options?: ResumeOptions,
  ): Promise<RunInstanceResult[]>;
  /** Does the same with a typed stimulus. */
  abstract resume<S, I>(
    stimulusType: StimulusType<S, I>,
    stimulus: NoInfer<S>,
    ...options: StimulusArguments<ResumeOptions, I>
  ): Promise<RunInstanceResult[]>;
  /**
   * Resumes one bookmark. With `workflowInstanceId`, only a bookmark of that instance is resumed, without a look-up first. Where only
   * another node has the code of the instance, that node resumes it, and the result is the instance as it is stored now.
   * @throws BookmarkNotFoundError (`WM3004`), BookmarkConsumedError (`WM7002`), UndefinedRecipientError (`WM1057`)
   */
  abstract resumeById(bookmarkId: string, options?: ResumeOptions): Promise<RunInstanceResult>;
  /**
   * Resumes one bookmark that was read from the store, of which a timer knows no more than these members. Concurrent calls for bookmarks of one instance share a burst, in their
   * order.
   * @throws BookmarkNotFoundError (`WM3004`), BookmarkConsumedError (`WM7002`)
   */
  resumeWaiting(
    bookmark: Pick<StoredBookmark, 'id' | 'workflowInstanceId' | 'dueAt'>,
    options: ResumeOptions = {},
  ): Promise<RunInstanceResult> {
    return this.resumeById(bookmark.id, { ...options, workflowInstanceId: bookmark.workflowInstanceId });
  }
  /**
   * Resumes all bookmarks that match a filter, as `resume` does.
   * @throws EmptyFilterError (`WM7008`); UndefinedRecipientError (`WM1057`) for a member without a value
   */
  abstract resumeMany(filter: BookmarkFilter, options?: ResumeOptions): Promise<RunInstanceResult[]>;
}

/**
 * A resume that is stored until its bookmark exists. What is left out sets no condition; a condition that is given as `undefined` or
 * null is refused with `UndefinedRecipientError` (`WM1057`).
 */
export interface NewBookmarkQueueItem {
  /** Idempotency key: an item with the same key is queued only once. */
  readonly idempotencyKey?: string;
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
  /** Id of the bookmark. */
  readonly bookmarkId?: string;
  /** Hash of the stimulus. @default any payload */
  readonly stimulusHash?: string;
  /** Id of the execution of the activity. */
  readonly activityInstanceId?: string;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** Stimulus name. */
  readonly activityTypeName?: string;
  /** Input, by name. @default none */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Properties to store with the instance. @default none */
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What became of the replay of a dead letter. `NotReplayable`: it was replayed before. */
export type ReplayOutcome = 'Replayed' | 'NotFound' | 'NotReplayable';

/** A replay of a dead letter, and the item that it queued. */
export interface ReplayedItem {
  /** What became of it. */
  readonly outcome: ReplayOutcome;
  /** Id of the item in the queue; undefined where none was queued, or the queue does not say. */
  readonly queueItemId?: string | undefined;
}

/**
 * Stores resumes that may arrive before their bookmark exists (W5).
 * @example
 * await queue.enqueue({
 *   workflowInstanceId,
 *   activityTypeName: 'App.ManagerApproval',
 *   input: { approved: true },
 *   idempotencyKey: `decision ${requestId}`,
 * });
 */
export abstract class IBookmarkQueue {
  /**
   * Stores the item, and delivers it as soon as a bookmark matches.
   * @throws EmptyFilterError (`WM7008`), UndefinedRecipientError (`WM1057`), TextNotStorableError (`WM1103`)
   */
  abstract enqueue(item: NewBookmarkQueueItem): Promise<string>;
  /**
   * The same, but keeps one item of a key at a time: while an earlier one waits, or has become a dead letter that can be replayed, its id
   * is returned. Once that one was delivered, the next is stored. For requests of strangers, who may repeat them any number of times; of
   * an item without a key, each is stored. @default `enqueue`, which keeps one for as long as the key is known
   */
  enqueueOnce(item: NewBookmarkQueueItem): Promise<string> {
    return this.enqueue(item);
  }
  /** Queues what a dead letter holds again, once, and delivers it. A delivery that fails is one of the queue, which tries it again. */
  abstract replay(deadLetterId: string): Promise<ReplayOutcome>;
  /** The same, and the id of the item. @default `replay`, without an id */
  async replayItem(deadLetterId: string): Promise<ReplayedItem> {
    return { outcome: await this.replay(deadLetterId) };
  }
}
