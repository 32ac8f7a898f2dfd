import type { JournalChunk } from '@waymark/core';
import type {
  BookmarkPattern,
  BookmarkQueueItem,
  FiringResult,
  OutboxMessage,
  StoredBookmark,
  WorkflowInstanceRecord,
} from './records.js';
import type { UserTaskChanges } from './user-task.js';

/**
 * Everything one burst changes, written in one transaction or not at all (W1).
 *
 * Checks, each answered by an error that says which one failed, with nothing written; the first that fails answers:
 * - a message or queue item to consume is gone → `MessageConsumedError` (W5)
 * - `requestKey` started an instance already → `RequestKeyUsedError`
 * - the occurrence in `firing` was claimed by another node → `OccurrenceClaimedError` (W4)
 * - a bookmark in `consumedBookmarkIds` has no row any more → `BookmarkConsumedError` (W2)
 * - `expectedRevision` differs from the stored one, or the instance exists already → `ConcurrencyConflictError` (W3)
 * - `activationKey` is held by another running instance → `ActivationRefusedError`
 * - a completed task is not open, or was changed since it was read → `UserTaskChangedError`
 *
 * Before all of them, what cannot be stored is refused: `ValueNotStorableError`, `TextNotStorableError`, `ValueTooLargeError`.
 *
 * A finished instance has no bookmark rows and holds no activation key, whatever the burst lists. A cancelled one takes back
 * the stored messages that are for it, as one does that `takesBackMessages`: of a cancellation and the commit that serves such a message, one wins.
 */
export interface BurstCommit {
  /** The row of the instance as of now, whole. */
  readonly instance: WorkflowInstanceRecord;
  /** `undefined`: a new instance; else the revision it was loaded with. */
  readonly expectedRevision: number | undefined;
  /** Rows to insert. */
  readonly addedBookmarks: readonly StoredBookmark[];
  /** Ids of rows to delete; absent ones are not an error. */
  readonly removedBookmarkIds: readonly string[];
  /** Ids among the removed that this burst used and that must still be there. */
  readonly consumedBookmarkIds: readonly string[];
  /** Patterns among the added bookmarks that other nodes may not know yet; known ones get the later time. */
  readonly patterns?: readonly BookmarkPattern[];
  /** What happened in the burst; written as one chunk, unless it is empty. */
  readonly journal: JournalChunk;
  /** A known id is ignored. */
  readonly outbox: readonly OutboxMessage[];
  /** Messages of the outbox that this burst serves: deleted, and they must still be there. */
  readonly consumedMessageIds: readonly string[];
  /** A known idempotency key is ignored, as by `BookmarkQueueStore.enqueue`. */
  readonly queue: readonly BookmarkQueueItem[];
  /** Items of the bookmark queue that this burst uses: deleted, and they must still be there. */
  readonly consumedQueueItemIds: readonly string[];
  /** Tasks for people that come and go with their bookmarks. */
  readonly userTasks?: UserTaskChanges | undefined;
  /** Occurrence of a trigger or schedule that started this instance: moved on in the same transaction. */
  readonly firing?: Firing;
  /** Held from the first commit of an instance until it is finished, or releases it; one running instance per key. */
  readonly activationKey?: string;
  /** If true, the instance does not hold its activation key any more. A new instance that says so holds none. */
  readonly releasesActivationKey?: boolean;
  /**
   * If true, messages for the instance that are stored already are deleted: it was set back, and they are for what it was. Those of
   * `outbox` are not. @default false, except for a cancelled instance
   */
  readonly takesBackMessages?: boolean;
  /**
   * If true, the instance only ends, as faulted or cancelled, so the limit that a host sets for states (`maxStateBytes`) does not
   * count. What the database itself cannot take is refused all the same.
   */
  readonly atAnySize?: boolean;
  /** Idempotent start: while the key is kept, it starts no second instance. It counts from `instance.updatedAt`. */
  readonly requestKey?: string;
  /** Name of the node that continues the burst, which this commit stores half-way. It holds until the next commit of the instance. */
  readonly executedBy?: string | undefined;
}

/** The occurrence that starts an instance: of a trigger, or of a schedule of the application. */
export type Firing = ScheduleClaim | TriggerFiring;

/** Moves a schedule of the application from one occurrence to the next, if no other node did. */
export interface ScheduleClaim {
  /** Id of the schedule. */
  readonly id: string;
  /** Form of the row that was read: a schedule that was replaced meanwhile is not fired. */
  readonly token: string;
  /** The occurrence that is claimed: what the row must have. */
  readonly dueAt: Date;
  /** null: this is the last occurrence, and the row is deleted. */
  readonly nextDueAt: Date | null;
  /** Kept as the `lastFiring` of the schedule. */
  readonly fired: { readonly at: Date; readonly result: FiringResult };
}

/** An occurrence of a schedule of the application that is claimed together with others. */
export interface ScheduleOccurrenceClaim {
  /** What is claimed. */
  readonly firing: ScheduleClaim;
  /** What it sends, stored in the same transaction. @default nothing: the occurrence is left out, or nothing waits for it any more */
  readonly message?: OutboxMessage | undefined;
}

/** Moves a trigger from one occurrence to the next, if no other node did. */
export interface TriggerFiring {
  /** Id of the trigger. */
  readonly triggerId: string;
  /** The occurrence that is claimed: what the row must have. */
  readonly dueAt: Date;
  /** null: it never fires again. */
  readonly nextDueAt: Date | null;
  /** Kept as the `lastFiring` of the trigger. @default what was kept before stays */
  readonly fired?: { readonly at: Date; readonly result: FiringResult };
}

/** An occurrence of a trigger that is claimed together with others. */
export interface OccurrenceClaim {
  /** What is claimed. */
  readonly firing: TriggerFiring;
  /** What starts the instance, stored in the same transaction. @default none starts: the occurrence is left out */
  readonly message?: OutboxMessage | undefined;
}
