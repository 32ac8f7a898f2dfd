import type { BookmarkFilter } from './lookup-stores.js';
import type { IdPage, Page, PagedResult } from './paging.js';
import type { BookmarkQueueDeadLetter, BookmarkQueueItem, OutboxMessage } from './records.js';

/** The time by which a store decides what is due or has expired. */
export interface StoreTime {
  /** For clocks that are moved by tests; see `WorkflowClock.storeTime`. @default the store's own time (W3) */
  readonly now?: Date | undefined;
}

/** Owner and duration of a claim. */
export interface Lease extends StoreTime {
  /** Name of this node. */
  readonly owner: string;
  /** How long the claim holds, in milliseconds; then others may take what it is for. */
  readonly leaseMs: number;
}

/** What came of a renewal. Claims that are in neither list are gone, or another owner's. */
export interface RenewedClaims {
  /** Held for as long as was asked for. */
  readonly renewed: readonly string[];
  /** Not renewed, because a transaction has locked them. Still the owner's, as long as the claim lasted before. */
  readonly locked: readonly string[];
}

/** Selects the messages that a node claims, and for how long. */
export interface ClaimOptions extends Lease {
  /** Messages at most. */
  readonly limit: number;
  /**
   * Ids of what the owner knows that it has claimed. Given, its other claims are taken anew, before their lease ends: the
   * answer to an earlier claim was lost. That counts as no attempt. @default all its claims hold
   */
  readonly held?: readonly string[] | undefined;
  /** Kinds that this node has no place for now. @default none */
  readonly exceptKinds?: readonly string[];
  /**
   * Messages that have a turn are claimed by their turns, and `limit` is for the others.
   * @default `limit` is for all, by time
   */
  readonly long?: LongClaim;
  /** Messages that wait for a place, at these turns: see `OutboxStore.letWait`. Only with `long`. @default none */
  readonly waiting?: readonly WaitingClaim[];
}

/** How many of the messages are claimed that wait at a turn below 0, those available longest first. */
export interface WaitingClaim {
  /** Below 0: the number that stands for the definition whose place they wait for. */
  readonly turn: number;
  /** Messages at most. */
  readonly limit: number;
}

/** Where messages wait that were claimed, or written, when there was no place for them. */
export interface WaitingTurn {
  /** Below 0. */
  readonly turn: number;
  /** Name of the node that gives them back. */
  readonly owner: string;
  /** Not before that time. */
  readonly availableAt: Date;
}

/** Selects the messages with a turn to claim, beginning with the lowest turns. */
export interface LongClaim {
  /** Messages at most. */
  readonly limit: number;
  /** Lower turns are passed over. @default none */
  readonly fromTurn?: number;
}

/** All given members must hold. */
export interface OutboxDeadLetterFilter {
  /** Only this one. */
  readonly id?: string | undefined;
  /** An empty list matches nothing. */
  readonly ids?: readonly string[] | undefined;
  /** Only those of that kind. */
  readonly kind?: string | undefined;
  /** Code of the typed error at which the last attempt failed. */
  readonly errorCode?: string | undefined;
  /** Only those that were written before that time. */
  readonly createdBefore?: Date | undefined;
  /** Only those that were written after that time. */
  readonly createdAfter?: Date | undefined;
}

/** A message for each bookmark that matches when it is written, whatever their number. */
export interface FanOut {
  /** Different for each fan-out: the ids of its messages begin with it. */
  readonly id: string;
  /** Which bookmarks get a message. */
  readonly filter: BookmarkFilter;
  /** Kind of the messages: which handler serves them. */
  readonly kind: string;
  /** Of each message, which has the id of its bookmark as `bookmarkId` besides. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** When the messages count as written. */
  readonly createdAt: Date;
  /** Not before that time. */
  readonly availableAt: Date;
  /** Bookmarks without a message of this kind: `messages` has theirs. */
  readonly exceptBookmarkIds: readonly string[];
  /** Further messages, written with the others and before them. */
  readonly messages: readonly OutboxMessage[];
  /** The message that causes it: deleted with it. */
  readonly consumedMessageId?: string | undefined;
  /** If true, and no bookmark has a message, nothing is written or deleted: the message that causes it is left. @default false */
  readonly isForSome?: boolean | undefined;
}

/** Messages to the runtime (transactional outbox). They are added and consumed by commits. */
export interface OutboxStore {
  /** Messages written outside a burst, e.g. a dispatch over REST. A known id is ignored. */
  add(messages: readonly OutboxMessage[]): Promise<void>;
  /** Writes one message. Returns false, with nothing written, if there is one with that id. */
  addOnce(message: OutboxMessage): Promise<boolean>;
  /**
   * Writes all messages of a fan-out, in the order of the bookmarks and each for the instance of its bookmark, or none.
   * The bookmarks are read by the database and not by this process, so the caller's memory does not depend on their number.
   * @returns how many bookmarks have a message now, without `exceptBookmarkIds`
   * @throws MessageConsumedError
   */
  fanOut(fanOut: FanOut): Promise<number>;
  /** Returns true if a message is left, also as a dead letter, whose id begins with that of the fan-out and `/`. */
  hasFanOut(id: string): Promise<boolean>;
  /** The message of that id, claimed or not, or as a dead letter; undefined: it is gone. */
  find(id: string): Promise<OutboxMessage | undefined>;
  /**
   * Takes available, unclaimed messages, those available longest first; those of `long` come after the others, by turn and
   * then by time, and those of `waiting` at last. Concurrent claimers get disjoint sets. One whose claim has ended is counted, and forgets
   * what it had failed with: why its node ended is not known.
   */
  claim(options: ClaimOptions): Promise<OutboxMessage[]>;
  /**
   * Holds messages that no other node has claimed for longer, or takes them if they were not claimed yet.
   * Waits for no lock: what is being committed is not renewed, and is the owner's while its claim lasts.
   */
  renew(ids: readonly string[], lease: Lease): Promise<RenewedClaims>;
  /**
   * Gives a message back after a failure, which is counted, to be available again at that time.
   * @param owner who gives it back: what another node has by now is left alone. @default the node that has it
   */
  release(id: string, error: string, availableAt: Date, owner?: string): Promise<void>;
  /**
   * For a shutdown that no longer waits: of these messages, those that the owner has belong to no node any more, so that the next claim
   * does not count the end of this one as a death. They are available when the claim would have ended, because the work may still run. Waits
   * for no lock. @default the end of their claims counts as an attempt
   */
  giveUpClaims?(ids: readonly string[], owner: string): Promise<void>;
  /** Gives a message back that was not tried, to be available again at that time. @param owner as for `release` */
  postpone(id: string, availableAt: Date, owner?: string): Promise<void>;
  /**
   * Gives messages back that were not tried, to wait at a turn below 0: from now on only claims of that turn find them, so that they delay
   * none behind them. What another node has by now, and dead letters, are left alone.
   */
  letWait(ids: readonly string[], at: WaitingTurn): Promise<void>;
  /**
   * Ends the wait of the messages for that instance at that turn: any node may claim them from that time on. What a node has
   * claimed is left alone. Returns how many were waiting.
   */
  endWait(workflowInstanceId: string, turn: number, availableAt: Date): Promise<number>;
  /**
   * Makes messages of those kinds for that instance available at that time which would be later, and which no node has claimed or has a
   * head start with. Returns how many. @default they become available by themselves
   */
  endPauses?(workflowInstanceId: string, kinds: readonly string[], availableAt: Date): Promise<number>;
  /**
   * The turns below 0 at which messages are, lowest first.
   * @param after lower ones, and this one, are left out
   */
  findWaitingTurns(limit: number, after?: number): Promise<number[]>;
  /** When the message was created that comes next at that turn. */
  oldestAt(turn: number): Promise<Date | undefined>;
  /** Deletes a message. Returns false if it was gone. */
  delete(id: string): Promise<boolean>;
  /** Makes a message a dead letter after its last attempt; it is kept for inspection. @param owner as for `release` */
  moveToDeadLetters(id: string, error: string, owner?: string): Promise<void>;
  /** Dead letters, newest first. */
  findDeadLetters(filter: OutboxDeadLetterFilter, page?: Page): Promise<PagedResult<OutboxMessage>>;
  /** A part of the dead letters, in order of id. */
  findDeadLettersAfter(filter: OutboxDeadLetterFilter, page: IdPage): Promise<OutboxMessage[]>;
  /** Makes dead letters available at that time, with all their attempts before them and without their last error. Returns how many were. */
  revive(ids: readonly string[], availableAt: Date): Promise<number>;
  /** Deletes those of these messages that are dead letters. Returns how many were. */
  deleteDeadLetters(ids: readonly string[]): Promise<number>;
  /** Deletes dead letters that were due for their last attempt before that time, the oldest first. Returns how many, `limit` at most. */
  purgeDeadLetters(before: Date, limit: number): Promise<number>;
  /** How many messages wait, claimed or not, and how many are dead letters. */
  count(): Promise<{ waiting: number; deadLetters: number }>;
}

/** A bookmark, as items of the queue are compared with it. */
export interface QueueMatch {
  /** Bookmark row fields to match against; an item matches when each member it has equals the bookmark's. */
  readonly bookmarkId: string;
  /** Hash of its stimulus. */
  readonly hash: string;
  /** Its stimulus name. */
  readonly name: string;
  /** The instance that waits. */
  readonly workflowInstanceId: string;
  /** The execution that waits. */
  readonly activityInstanceId: string;
  /** Correlation id of the instance. */
  readonly correlationId?: string;
}

/** Selects the rows of the queue to process. */
export interface QueueExpiry extends StoreTime {
  /** Dead letters that are older are deleted, in milliseconds. */
  readonly keepDeadLettersMs: number;
  /** Of each, at most that many. */
  readonly limit: number;
}

/** All given members must hold. */
export interface DeadLetterFilter {
  /** An empty list matches nothing. */
  readonly ids?: readonly string[] | undefined;
  /** Only those that name this instance. */
  readonly workflowInstanceId?: string | undefined;
  /** Stimulus name. */
  readonly name?: string | undefined;
  /** Only those that became dead letters for that reason. */
  readonly reason?: BookmarkQueueDeadLetter['reason'] | undefined;
  /** Code of the typed error at which the last delivery failed. */
  readonly errorCode?: string | undefined;
  /** Only those that became dead letters before that time. */
  readonly deadLetteredBefore?: Date | undefined;
  /** Only those that became dead letters after that time. */
  readonly deadLetteredAfter?: Date | undefined;
  /** If true, only those that can be replayed; false: only the others. */
  readonly canReplay?: boolean | undefined;
}

/** How many rows of each kind were dealt with. */
export interface ExpiredRows {
  /** Items that became dead letters. */
  readonly expired: number;
  /** Dead letters that were deleted. */
  readonly purged: number;
  /** Idempotency keys that were forgotten. */
  readonly forgotten: number;
}

/** Selects the items of the queue to look for. */
export interface DeliverableOptions {
  /** Items that have expired by then are left out. */
  readonly now: Date;
  /** Ids at most. */
  readonly limit: number;
  /** Continues after an earlier answer: its `next`. @default from the beginning */
  readonly after?: string | undefined;
  /** Leaves out those for which there is a message in the outbox whose id is this text and theirs. @default none are left out */
  readonly unlessMessage?: string;
  /** Only items for new bookmarks of that instance. A store may ignore this, and return other items, too. @default all items */
  readonly addedTo?: AddedBookmarks | undefined;
}

/** Which items new bookmarks of an instance are for: those for that instance or for any one, with one of these hashes or none. */
export interface AddedBookmarks {
  /** The instance that waits. */
  readonly workflowInstanceId: string;
  /** What the bookmarks wait for, each hash once. Undefined: too many to be asked for. */
  readonly hashes: readonly string[] | undefined;
}

/** Items of the queue whose bookmark is there. */
export interface DeliverableItems {
  /** Ids of the items, those that expire first before the others. */
  readonly ids: string[];
  /** Where the next look continues. Undefined: there are no more. */
  readonly next: string | undefined;
}

/** How an item is put in the queue. */
export interface EnqueueOptions {
  /**
   * If true, a key whose item is not in the queue any more counts as unknown. A store that does not know the option keeps one item for
   * as long as the key is known. @default false
   */
  readonly renewsKey?: boolean | undefined;
}

/** Stimuli that wait for their bookmark (W5). */
export interface BookmarkQueueStore {
  /**
   * Returns the id under which it is kept: that of the earlier item when its idempotency key is known.
   * @param consumedMessageId message of the outbox that asked for it, used up in the same transaction. @default none
   * @throws EmptyFilterError for an item that names nothing to match, because it would resume anything; MessageConsumedError
   */
  enqueue(item: BookmarkQueueItem, consumedMessageId?: string, options?: EnqueueOptions): Promise<string>;
  /** Oldest items that the bookmark satisfies. Those expired at `now` are left out; without it, only those moved away. */
  findMatching(match: QueueMatch, limit: number, now?: Date): Promise<BookmarkQueueItem[]>;
  /** Items for which a bookmark is there, those that expire first before the others. */
  findDeliverable(options: DeliverableOptions): Promise<DeliverableItems>;
  /** The item; undefined: it was delivered, has expired, or never was. */
  find(id: string): Promise<BookmarkQueueItem | undefined>;
  /** Counts a failed delivery; at `maxAttempts` the item becomes a dead letter (`Failed`). */
  fail(id: string, error: string, maxAttempts: number, now: Date): Promise<void>;
  /**
   * Moves expired items to the dead letters; deletes dead letters that were kept long enough, and expired keys. Nodes that do
   * so at the same time take different rows.
   */
  expire(expiry: QueueExpiry): Promise<ExpiredRows>;
  /** Newest first. */
  findDeadLetters(filter: DeadLetterFilter, page?: Page): Promise<PagedResult<BookmarkQueueDeadLetter>>;
  /** A part of them, in order of id. */
  findDeadLettersAfter(filter: DeadLetterFilter, page: IdPage): Promise<BookmarkQueueDeadLetter[]>;
  /** The dead letter; undefined: there is none of that id. */
  findDeadLetter(id: string): Promise<BookmarkQueueDeadLetter | undefined>;
  /** Returns how many were there. */
  deleteDeadLetters(ids: readonly string[]): Promise<number>;
  /** Marks it replayed and enqueues `item`, in one transaction. False when it cannot be replayed any more. */
  replay(id: string, item: BookmarkQueueItem): Promise<boolean>;
}
