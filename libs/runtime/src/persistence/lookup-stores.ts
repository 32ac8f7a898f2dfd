import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import type { JournalReading } from './journal-reading.js';
import type { ClaimOptions, Lease, RenewedClaims, StoreTime } from './message-stores.js';
import type { Page, PagedResult } from './paging.js';
import type { PausedTrigger, StoredBookmark, StoredTrigger } from './records.js';
import type { OccurrenceClaim, TriggerFiring } from './burst-commit.js';

/** All given members must hold. A filter without any member is refused (`EmptyFilterError`): it would mean everything. */
export interface BookmarkFilter {
  /** Only these bookmarks. */
  ids?: readonly string[];
  /** Only those with that hash. */
  hash?: string;
  /** Only those with one of these hashes. */
  hashes?: readonly string[];
  /** Only those with one of these stimulus names. */
  names?: readonly string[];
  /** Only those of that instance. */
  workflowInstanceId?: string;
  /** Only those of these instances. */
  workflowInstanceIds?: readonly string[];
  /** Only those of instances with that correlation id. */
  correlationId?: string;
  /** Only those of that execution. */
  activityInstanceId?: string;
}

/** Selects the due bookmarks that a node claims. */
export interface DueClaimOptions extends Omit<ClaimOptions, 'exceptKinds' | 'long' | 'waiting'> {
  /** How far ahead `ClaimedBookmarks.nextAt` looks, in milliseconds. */
  readonly lookAheadMs: number;
  /**
   * How many others that are due are taken along, of the same instances: they share a burst, and two nodes that resume one
   * instance would each undo what the other does. What another node has begun to resume is left to it then. @default 0
   */
  readonly along?: number;
  /** Instances whose bookmarks are not taken. */
  readonly exceptInstanceIds?: readonly string[];
}

/** Selects the bookmarks with a due time to list. */
export interface TimedWindow {
  /** Rows at most. */
  readonly limit: number;
  /** Due at that time or before. @default whenever */
  readonly before?: Date | undefined;
  /** Due time and id of the last row of the window before. @default from the first one */
  readonly after?: { readonly dueAt: Date; readonly id: string } | undefined;
  /** Only those of that instance. */
  readonly workflowInstanceId?: string | undefined;
  /** Stimulus names. */
  readonly names?: readonly string[] | undefined;
}

/** The part of a due bookmark that its resume needs: reading the payload of each took as long as finding it. */
export interface ClaimedBookmark extends Pick<StoredBookmark, 'id' | 'name' | 'workflowInstanceId'> {
  /** The due time that has come. */
  readonly dueAt: Date;
  /**
   * If true, a node had claimed it, and neither renewed the claim nor gave it back: it may have died of it. Such a bookmark is resumed by
   * a message, whose attempts are counted. @default false
   */
  readonly wasClaimed?: boolean | undefined;
}

/** Due bookmarks that a node has claimed. */
export interface ClaimedBookmarks {
  /** Due, and leased to this node; earliest first. More than the limit when others were taken along. */
  readonly bookmarks: ClaimedBookmark[];
  /** The time by which that was decided. */
  readonly now: Date;
  /**
   * When to ask again, within `lookAheadMs`: the next due time, or the end of a claim. Undefined: nothing until then, or the
   * limit was reached and there may be more at once.
   */
  readonly nextAt: Date | undefined;
  /** The limit was reached: more may be due now. */
  readonly hasMore: boolean;
}

/**
 * Bookmark rows, for look-up only: they are written by `commit`. Claims say which node resumes what is due, so that its
 * activities run once; they decide nothing (W2): a commit that consumes a bookmark does not ask who has claimed it.
 */
export interface BookmarkStore {
  /**
   * Oldest first.
   * @param limit rows at most: any number of instances may wait for one stimulus. @default all of them
   */
  findMany(filter: BookmarkFilter, limit?: number): Promise<StoredBookmark[]>;
  /** Returns true if there is a bookmark with that stimulus name. Cheap enough to be asked once a second, however many there are. */
  hasName(name: string): Promise<boolean>;
  /** Rows due at or before that time, earliest first, claimed or not. */
  findDue(before: Date, limit: number): Promise<StoredBookmark[]>;
  /** The next rows with a due time, earliest first, claimed or not. Costs as much as there are in the window. */
  findTimed(window: TimedWindow): Promise<StoredBookmark[]>;
  /** Removes the due time of those that have one; they still wait for whatever else resumes them. @returns how many */
  clearDueTimes(ids: readonly string[]): Promise<number>;
  /** Takes bookmarks that are due and not claimed. Concurrent claimers get disjoint sets. */
  claimDue(options: DueClaimOptions): Promise<ClaimedBookmarks>;
  /** Holds the owner's claims for longer. Waits for no lock. */
  renewClaims(ids: readonly string[], lease: Lease): Promise<RenewedClaims>;
  /** Gives a claim back, for any node to take at that time. Nothing happens when the owner does not have it. */
  releaseClaim(id: string, owner: string, availableAt: Date): Promise<void>;
}

/** All given members must hold; an empty list matches nothing. */
export interface TriggerFilter {
  /** Only these triggers. */
  ids?: readonly string[];
  /** Only those with that hash. */
  hash?: string;
  /** Only those with one of these stimulus names. */
  names?: readonly string[];
  /** Only those of these definitions. */
  workflowDefinitionIds?: readonly string[];
  /** Only those of these versions. */
  workflowDefinitionVersionIds?: readonly string[];
  /** Only those that hold one of these keys. */
  exclusiveKeys?: readonly string[];
}

/** Triggers that have, or had, a due time. All given members must hold. */
export interface ScheduledTriggerFilter {
  /** Only these triggers. */
  ids?: readonly string[] | undefined;
  /** Only those with one of these stimulus names. */
  names?: readonly string[] | undefined;
  /** Only those of these definitions. */
  workflowDefinitionIds?: readonly string[] | undefined;
  /** If true, only paused ones; false: only the others. */
  paused?: boolean | undefined;
}

/** How far ahead due times are looked for. */
export interface LookAhead extends StoreTime {
  /** Milliseconds from the time by which it is decided. */
  readonly lookAheadMs: number;
  /**
   * Called by `findNextDue` with the time by which it was decided, in milliseconds since 1970, so that a node notices when the
   * clock of the store was set.
   */
  readonly heard?: ((time: number) => void) | undefined;
}

/** Selects the due times to look for. */
export interface UpcomingOptions extends LookAhead {
  /** Rows at most. */
  readonly limit: number;
}

/** Triggers that are due or will be soon. */
export interface UpcomingTriggers {
  /** Earliest first. */
  readonly triggers: StoredTrigger[];
  /** The time by which they are due or not. Undefined when nothing was found. */
  readonly now: Date | undefined;
}

/** Trigger rows. They are written with their definition (`DefinitionStore.apply`) or moved on by a firing. */
export interface TriggerStore {
  /** An empty filter selects all triggers. */
  findMany(filter: TriggerFilter): Promise<StoredTrigger[]>;
  /** Rows due at or before that time, earliest first. */
  findDue(before: Date, limit: number): Promise<StoredTrigger[]>;
  /** Those that are due or will be soon, earliest first. */
  findUpcoming(options: UpcomingOptions): Promise<UpcomingTriggers>;
  /** Moves an occurrence on without starting anything (a refused or skipped one). False when it was claimed already. */
  advance(firing: TriggerFiring): Promise<boolean>;
  /**
   * Claims occurrences of several triggers, each at most once, and stores what starts their instances, in one transaction.
   * Those that another node has claimed, or is claiming just now, are left to it (W4): nothing is written for them, and nothing
   * waits.
   * @returns ids of the triggers whose occurrence is the caller's
   */
  claim(claims: readonly OccurrenceClaim[]): Promise<ReadonlySet<string>>;
  /** By due time, those without one last. */
  findScheduled(filter: ScheduledTriggerFilter, page: Page): Promise<PagedResult<StoredTrigger>>;
  /** Takes the due time away and keeps it as `paused`. False when it is not due at `paused.dueAt` any more. */
  pause(id: string, paused: PausedTrigger): Promise<boolean>;
  /** Ends a pause: it is due at `dueAt` from now on, or never again. False when it is not paused since `pausedAt`. */
  unpause(id: string, pausedAt: Date, dueAt: Date | null): Promise<boolean>;
  /** Takes the due times away, as if each had fired for the last time; a pause ends. @returns how many had one or were paused */
  clearDueTimes(ids: readonly string[]): Promise<number>;
}

/** Where a chunk of a journal is, and what is in it. */
export interface JournalPlace {
  /** Number of the chunk within the store. */
  readonly id: number;
  /** How many log entries. Without any, `firstSequence` is infinite and `lastSequence` minus infinite. */
  readonly entryCount: number;
  /** Lowest sequence number of its log entries. */
  readonly firstSequence: number;
  /** Highest sequence number of its log entries. */
  readonly lastSequence: number;
}

/** A chunk of a journal that was written. */
export interface JournalWrite {
  /** Counts all chunks of the store. */
  readonly number: number;
  /** The instance that wrote it. */
  readonly workflowInstanceId: string;
}

/**
 * The journal of one instance. Written by `commit`; `append` is for imports. Values above a size that the store is given are
 * kept once for the instance, beside its journal, and go with it: see `JournalReference`.
 */
export interface JournalStore {
  /** In order of sequence. */
  readLog(instanceId: string, reading?: JournalReading): Promise<WorkflowExecutionLogEntry[]>;
  /** A part of the log, in order of sequence, and how many entries there are. */
  readLogPage(
    instanceId: string,
    page: Page,
    reading?: JournalReading,
  ): Promise<PagedResult<WorkflowExecutionLogEntry>>;
  /** In order of start; the latest state of each, whole (`ActivityExecutionRecord.unchanged`). */
  readRecords(instanceId: string, reading?: JournalReading): Promise<ActivityExecutionRecord[]>;
  /** Where its chunks are, in the order in which they were written: a few bytes for each, whatever is in them. */
  findChunks(instanceId: string): Promise<JournalPlace[]>;
  /** Those of these chunks that are there, in the order in which they were written. Large values are references. */
  readChunks(instanceId: string, ids: readonly number[]): Promise<JournalChunk[]>;
  /** The values that references of this instance stand for, by hash; those that are not there are missing. */
  readValues(instanceId: string, hashes: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  /** Writes a chunk behind those that are there. */
  append(instanceId: string, chunk: JournalChunk): Promise<void>;
  /**
   * Which instances wrote a chunk with a higher number, on any node, in order of the numbers: what follows the commits of other
   * nodes asks this. A transaction that took a lower number may be committed later, so ask again from some seconds back. Costs as
   * much as there are such chunks, whatever is in them.
   */
  findWrites(after: number, limit: number): Promise<JournalWrite[]>;
  /** The highest number of a chunk; 0: there is none. */
  lastWrite(): Promise<number>;
  /**
   * Deletes values of instances that are gone: nodes of a version that did not know of values leave them behind. Each call
   * continues where the one before stopped. @returns the number of instances that were looked at
   */
  purgeOrphanedValues(limit: number): Promise<number>;
}
