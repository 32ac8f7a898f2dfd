import {
  type Bookmark,
  type JournalChunk,
  type WorkflowExecutionContext,
  type WorkflowState,
  WorkflowSubStatus,
} from '@waymark/core';
import { type Entry, readEntry, restingLists } from '@waymark/core/adapter';
import type { BurstCommit, Firing } from '../persistence/burst-commit.js';
import {
  type BookmarkPattern,
  type LoadedInstance,
  type OutboxMessage,
  type StoredBookmark,
  toInstanceRecord,
  toStoredBookmark,
} from '../persistence/records.js';
import type { UserTaskChanges } from '../persistence/user-task.js';

/** What a burst uses up or holds besides the instance itself. */
export interface BurstExtras {
  readonly consumedMessageIds?: readonly string[];
  /** Consumed by the commit that ends the burst only: if the node dies before, they are needed again. */
  readonly consumedAtEnd?: readonly string[];
  readonly consumedQueueItemIds?: readonly string[];
  readonly firing?: Firing;
  readonly activationKey?: string;
  /** Correlation id of the start, of which the activation key may be made. */
  readonly correlationId?: string | undefined;
  readonly requestKey?: string;
  /** If true, the id was made for this start, so that no commit has to tell whether another instance has it. */
  readonly isNewId?: boolean;
  /** If true, the caller has entered the gate itself, and a shutdown waits for it. */
  readonly isAdmitted?: boolean;
  /** See `BurstCommit`. */
  readonly atAnySize?: boolean;
  /** If true, a first burst that takes long is stored as begun, so that it is listed and can be cancelled. */
  readonly isListedWhenLong?: boolean;
}

export interface BookmarkChanges {
  readonly added: readonly StoredBookmark[];
  readonly removed: readonly StoredBookmark[];
  readonly unchanged: readonly StoredBookmark[];
}

/** Of a burst without a journal. */
export const NO_JOURNAL: JournalChunk = Object.freeze({ log: [], records: [] });

const NOTHING: readonly never[] = Object.freeze([]);
const NO_CHANGES: BookmarkChanges = Object.freeze({ added: NOTHING, removed: NOTHING, unchanged: NOTHING });

/** Rows of an instance's bookmarks: only a running one can be resumed. What is at rest has not changed, and is not read. */
export function bookmarkChanges(state: WorkflowState, before: WorkflowState | undefined): BookmarkChanges {
  const old = resumable(before);
  const now = resumable(state);
  if (!old.length && !now.length) return NO_CHANGES;
  // All that there are came or went, as in most bursts.
  if (!old.length) return { added: rowsOf(now, state), removed: NOTHING, unchanged: NOTHING };
  if (!now.length) return { added: NOTHING, removed: rowsOf(old, before!), unchanged: NOTHING };
  // Most of thousands stay where they are, and only what is between them is looked up.
  const begin = commonLength(old, now, 0);
  const end = commonLength(old, now, begin, true);
  const oldIds = idsOf(old, begin, end);
  const nowIds = idsOf(now, begin, end);
  const added = now.slice(begin, now.length - end).filter((b) => !oldIds.has(b.id));
  const removed = old.slice(begin, old.length - end).filter((b) => !nowIds.has(b.id));
  return new FoundChanges(rowsOf(added, state), removed.length > 0 ? rowsOf(removed, before!) : NOTHING, () => {
    const isAdded = new Set(added);
    return rowsOf(
      now.filter((b) => !isAdded.has(b)),
      state,
    );
  });
}

/** How many bookmarks are the same at the beginning of both lists, or at their ends. @param most so many fewer than there are */
function commonLength(
  old: readonly Entry<Bookmark>[],
  now: readonly Entry<Bookmark>[],
  most: number,
  isFromEnd = false,
): number {
  const limit = Math.min(old.length, now.length) - most;
  for (let n = 0; n < limit; n++) {
    const left = old[isFromEnd ? old.length - 1 - n : n]!;
    const right = now[isFromEnd ? now.length - 1 - n : n]!;
    if (left !== right && left.id !== right.id) return n;
  }
  return limit;
}

function idsOf(bookmarks: readonly Entry<Bookmark>[], begin: number, end: number): Set<string> {
  const ids = new Set<string>();
  for (let at = begin; at < bookmarks.length - end; at++) ids.add(bookmarks[at]!.id);
  return ids;
}

/** Those that stayed are hardly ever asked for, and may be thousands. */
export class FoundChanges implements BookmarkChanges {
  private found: readonly StoredBookmark[] | undefined;

  constructor(
    readonly added: readonly StoredBookmark[],
    readonly removed: readonly StoredBookmark[],
    private readonly find: () => readonly StoredBookmark[],
  ) {}

  get unchanged(): readonly StoredBookmark[] {
    return (this.found ??= this.find());
  }
}

/** The bookmarks of a state; those at rest are not read. */
export function bookmarkEntries(state: WorkflowState): readonly Entry<Bookmark>[] {
  return restingLists(state)?.bookmarks ?? state.bookmarks;
}

const resumable = (state: WorkflowState | undefined): readonly Entry<Bookmark>[] =>
  state?.status === 'Running' ? bookmarkEntries(state) : NOTHING;

const rowsOf = (
  bookmarks: readonly Entry<Bookmark>[],
  { id, correlationId }: WorkflowState,
): readonly StoredBookmark[] => bookmarks.map((bookmark) => toStoredBookmark(readEntry(bookmark), id, correlationId));

/** Written member by member, so that all have one hidden class: a spread costs each start more than a whole activity. */
export function withKeys(
  { consumedMessageIds, consumedQueueItemIds, isNewId, isAdmitted, isListedWhenLong }: BurstExtras,
  firing: Firing | undefined,
  requestKey: string | undefined,
  activationKey: string | undefined,
  correlationId: string | undefined,
): BurstExtras {
  return {
    consumedMessageIds,
    consumedQueueItemIds,
    firing,
    activationKey,
    correlationId,
    requestKey,
    isNewId,
    isAdmitted,
    isListedWhenLong,
  };
}

/** What several resumes use up that are stored at once. */
export function joinedExtras(all: BurstExtras, more: BurstExtras): BurstExtras {
  const consumedMessageIds = joinedIds(all.consumedMessageIds, more.consumedMessageIds);
  const consumedQueueItemIds = joinedIds(all.consumedQueueItemIds, more.consumedQueueItemIds);
  return { ...all, consumedMessageIds, consumedQueueItemIds };
}

function joinedIds(all: readonly string[] = NOTHING, more: readonly string[] = NOTHING): readonly string[] {
  return more.length === 0 ? all : [...all, ...more];
}

/** Of the commit that ends a burst. */
export function endingExtras(extras: BurstExtras): BurstExtras {
  const { consumedAtEnd, consumedMessageIds } = extras;
  return consumedAtEnd?.length
    ? { ...extras, consumedMessageIds: joinedIds(consumedMessageIds, consumedAtEnd) }
    : extras;
}

/** The instance began and ended well in this burst, which used up, holds and sends nothing: all there is to write is history. */
export function isOnlyHistory(
  wec: WorkflowExecutionContext,
  { before, extras }: { readonly before: LoadedInstance | undefined; readonly extras: BurstExtras },
): boolean {
  return (
    before === undefined &&
    extras.isNewId === true &&
    wec.subStatus === WorkflowSubStatus.Finished &&
    wec.incidents.length === 0 &&
    wec.outgoing.length === 0 &&
    wec.parentWorkflowInstanceId === undefined &&
    !extras.consumedMessageIds?.length &&
    !extras.consumedQueueItemIds?.length &&
    extras.firing === undefined &&
    extras.activationKey === undefined &&
    extras.requestKey === undefined
  );
}

/** What a commit is built from. */
interface CommitParts {
  readonly state: WorkflowState;
  /** What the commit replaces; undefined for a new instance. */
  readonly before: LoadedInstance | undefined;
  readonly changes: BookmarkChanges;
  /** Bookmarks that the burst used up, whether they were stored or not. */
  readonly usedBookmarkIds: readonly string[];
  readonly patterns: readonly BookmarkPattern[];
  readonly journal: JournalChunk;
  readonly outbox: readonly OutboxMessage[];
  readonly extras: BurstExtras;
  readonly userTasks: UserTaskChanges | undefined;
  readonly executedBy: string | undefined;
  readonly releasesActivationKey: boolean;
}

export function buildCommit({
  state,
  before,
  changes,
  usedBookmarkIds,
  patterns,
  journal,
  outbox,
  extras,
  userTasks,
  executedBy,
  releasesActivationKey,
}: CommitParts): BurstCommit {
  const removedBookmarkIds: readonly string[] = changes.removed.length ? changes.removed.map((b) => b.id) : NOTHING;
  return {
    instance: toInstanceRecord(state),
    expectedRevision: before?.revision,
    addedBookmarks: changes.added,
    removedBookmarkIds,
    consumedBookmarkIds: usedAmong(removedBookmarkIds, usedBookmarkIds),
    patterns,
    journal,
    outbox,
    consumedMessageIds: extras.consumedMessageIds ?? NOTHING,
    queue: NOTHING,
    consumedQueueItemIds: extras.consumedQueueItemIds ?? NOTHING,
    firing: extras.firing,
    activationKey: extras.activationKey,
    releasesActivationKey,
    requestKey: extras.requestKey,
    atAnySize: extras.atAnySize,
    userTasks,
    executedBy,
  };
}

function usedAmong(removedIds: readonly string[], usedIds: readonly string[]): readonly string[] {
  if (removedIds.length === 0 || usedIds.length === 0) return NOTHING;
  const removed = new Set(removedIds);
  return usedIds.filter((id) => removed.has(id));
}
