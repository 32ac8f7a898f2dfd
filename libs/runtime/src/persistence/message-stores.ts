import type { Page, PagedResult } from './paging.js';
import type { BookmarkQueueDeadLetter, BookmarkQueueItem, OutboxMessage } from './records.js';

/** Decides by which time. */
export interface StoreTime {
  /** For clocks that are moved by tests; see `WorkflowClock.storeTime`. @default the store's own time (W3) */
  readonly now?: Date | undefined;
}

/** Whose a claim is, and for how long. */
export interface Lease extends StoreTime {
  /** Name of this node. */
  readonly owner: string;
  /** How long the claim holds, in milliseconds; then others may take what it is for. */
  readonly leaseMs: number;
}

export interface ClaimOptions extends Lease {
  readonly limit: number;
  /**
   * Ids of what the owner knows that it has claimed. Given, its other claims are taken anew, before their lease ends: the
   * answer to an earlier claim was lost. That counts as no attempt. @default all its claims hold
   */
  readonly held?: readonly string[] | undefined;
  /** Kinds that this node has no place for now. @default none */
  readonly exceptKinds?: readonly string[];
}

/** All given members must hold. */
export interface BuriedFilter {
  readonly id?: string;
  readonly kind?: string;
}

/** Messages to the runtime (transactional outbox). They are added and consumed by commits. */
export interface OutboxStore {
  /** Messages written outside a burst, e.g. a dispatch over REST. A known id is ignored. */
  add(messages: readonly OutboxMessage[]): Promise<void>;
  /** Takes available, unclaimed messages, those available longest first. Concurrent claimers get disjoint sets. */
  claim(options: ClaimOptions): Promise<OutboxMessage[]>;
  /**
   * Holds messages that nobody else has claimed for longer, or takes them if they were not claimed yet.
   * Waits for no lock: what is being committed is not renewed, and is the owner's while its claim lasts.
   * @returns the ids of those that are now the owner's; the others are gone or somebody else's
   */
  renew(ids: readonly string[], lease: Lease): Promise<string[]>;
  /** Gives a message back after a failure, which is counted, to be available again at that time. */
  release(id: string, error: string, availableAt: Date): Promise<void>;
  /** Gives a message back that was not tried, to be available again at that time. */
  postpone(id: string, availableAt: Date): Promise<void>;
  /** False when it was gone. */
  delete(id: string): Promise<boolean>;
  /** Sets it aside after its last attempt; it is kept for inspection. */
  bury(id: string, error: string): Promise<void>;
  /** Those that were set aside, newest first. */
  findBuried(filter: BuriedFilter, page?: Page): Promise<PagedResult<OutboxMessage>>;
  /** Makes one that was set aside available at that time, with all its attempts before it. False when there is none. */
  revive(id: string, availableAt: Date): Promise<boolean>;
  count(): Promise<{ waiting: number; buried: number }>;
}

export interface QueueMatch {
  /** Bookmark row fields to match against; an item matches when each member it has equals the bookmark's. */
  readonly bookmarkId: string;
  readonly hash: string;
  readonly name: string;
  readonly workflowInstanceId: string;
  readonly activityInstanceId: string;
  readonly correlationId?: string;
}

export interface QueueExpiry extends StoreTime {
  /** Dead letters that are older are deleted, in milliseconds. */
  readonly keepDeadLettersMs: number;
  /** Of each, at most that many. */
  readonly limit: number;
}

/** Stimuli that wait for their bookmark (W5). */
export interface BookmarkQueueStore {
  /**
   * Returns the id under which it is kept: that of the earlier item when its idempotency key is known.
   * @throws EmptyFilterError for an item that names nothing to match, because it would resume anything
   */
  enqueue(item: BookmarkQueueItem): Promise<string>;
  /** Oldest items that the bookmark satisfies. Those expired at `now` are left out; without it, only those moved away. */
  findMatching(match: QueueMatch, limit: number, now?: Date): Promise<BookmarkQueueItem[]>;
  /** Ids of items for which a bookmark is there, oldest first; without those expired at `now`. */
  findDeliverable(now: Date, limit: number): Promise<string[]>;
  find(id: string): Promise<BookmarkQueueItem | undefined>;
  /** Counts a failed delivery; at `maxAttempts` the item becomes a dead letter (`Failed`). */
  fail(id: string, error: string, maxAttempts: number, now: Date): Promise<void>;
  /** Moves expired items to the dead letters; deletes dead letters that were kept long enough. Returns both counts. */
  expire(expiry: QueueExpiry): Promise<{ expired: number; purged: number }>;
  /** Newest first. */
  findDeadLetters(filter: { workflowInstanceId?: string }, page?: Page): Promise<PagedResult<BookmarkQueueDeadLetter>>;
  findDeadLetter(id: string): Promise<BookmarkQueueDeadLetter | undefined>;
  deleteDeadLetter(id: string): Promise<boolean>;
  /** Marks it replayed and enqueues `item`, in one transaction. False when it cannot be replayed any more. */
  replay(id: string, item: BookmarkQueueItem): Promise<boolean>;
}
