import { restingLists } from '@waymark/core/adapter';
import { WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { BurstCommit, Firing } from '../burst-commit.js';
import {
  ActivationRefusedError,
  BookmarkConsumedError,
  ConcurrencyConflictError,
  MessageConsumedError,
  OccurrenceClaimedError,
  PersistenceError,
  RequestKeyUsedError,
} from '../persistence-errors.js';
import { requireStorableBurst } from '../storable-rows.js';
import { UserTaskChangedError } from '../user-task-errors.js';
import { loopTurns } from '../../event-loop/loop-turns.js';
import type { LoadedInstance, StoredBookmark } from '../records.js';
import { toInstanceRow } from './instance-row.js';
import { hasLongLists, instanceRowInParts } from './instance-row-in-parts.js';
import { isolate } from './isolate.js';
import { copyInParts, isLongList } from './isolate-in-parts.js';
import type { MemoryData } from './memory-data.js';
import { appendJournal, type AppendedChunk, toStoredChunk, toStoredChunkInParts } from './memory-journal-store.js';
import { enqueue, requireMatchable } from './memory-queue-store.js';
import { addMessages } from './memory-outbox-store.js';
import { isScheduleDue, moveScheduleOn } from './memory-schedule-store.js';
import { restingRow } from './resting-row.js';
import { isDueAt, moveOn } from './memory-trigger-store.js';
import { changedTask, changeTasks } from './memory-user-task-store.js';

const NONE: readonly never[] = Object.freeze([]);

/** Private copies of what a burst writes. */
interface Copies {
  readonly row: LoadedInstance;
  readonly bookmarks: readonly StoredBookmark[];
  readonly journal: AppendedChunk;
}

/**
 * Atomic by construction: everything that can fail (the checks, copying a value that cannot be stored) runs before the
 * first change, and from there to the end nothing awaits. A promise for large instances only, which are copied in parts; what
 * others have done meanwhile is checked then.
 */
export function commitToMemory(data: MemoryData, burst: BurstCommit, maxInlineBytes: number): void | Promise<void> {
  check(data, burst);
  if (isLongBurst(burst)) return commitInParts(data, burst, maxInlineBytes);
  const row = toInstanceRow(burst.instance, nextRevision(burst));
  const addedBookmarks = added(burst);
  const bookmarks = addedBookmarks.length > 0 ? isolate(addedBookmarks, 'bookmarks') : NONE;
  write(data, burst, { row, bookmarks, journal: toStoredChunk(burst.journal, maxInlineBytes) });
}

async function commitInParts(data: MemoryData, burst: BurstCommit, maxInlineBytes: number): Promise<void> {
  const pause = () => loopTurns.goOn();
  const { instance } = burst;
  const lists = restingLists(instance.state);
  const resting = lists && (await restingRow(instance, lists, nextRevision(burst), pause));
  const row = resting ?? (await instanceRowInParts(instance, nextRevision(burst), pause));
  const bookmarks = (await copyInParts(added(burst), pause)) ?? isolate(added(burst), 'bookmarks');
  const journal = await toStoredChunkInParts(burst.journal, maxInlineBytes, pause);
  check(data, burst);
  write(data, burst, { row, bookmarks, journal });
}

/** A burst that continues is copied in parts only if it has many executions: it pauses meanwhile. A start that is noted while it runs has none. */
function isLongBurst({ instance, addedBookmarks }: BurstCommit): boolean {
  if (restingLists(instance.state)) return true;
  if (instance.isExecuting && !hasLongLists(instance.state)) return false;
  return isLongList(addedBookmarks) || hasLongLists(instance.state);
}

const nextRevision = ({ expectedRevision = 0 }: BurstCommit): number => expectedRevision + 1;

const isFinished = ({ instance }: BurstCommit): boolean => instance.status === WorkflowStatus.Finished;

/** Bookmarks that get a row. */
const added = (burst: BurstCommit): readonly StoredBookmark[] => (isFinished(burst) ? [] : burst.addedBookmarks);

function write(data: MemoryData, burst: BurstCommit, { row, bookmarks, journal }: Copies): void {
  const { instance, firing } = burst;
  // Most bursts have none of these.
  const messages = burst.outbox.length > 0 ? isolate(burst.outbox, 'outbox') : burst.outbox;
  const items = burst.queue.length > 0 ? isolate(burst.queue, 'queue') : burst.queue;
  const patterns = burst.patterns?.length ? isolate(burst.patterns, 'patterns') : NONE;
  const userTasks = burst.userTasks && isolate(burst.userTasks, 'tasks');

  for (const id of burst.consumedMessageIds) data.outbox.delete(id);
  for (const id of burst.consumedQueueItemIds) data.queue.delete(id);
  if (burst.takesBackMessages || instance.subStatus === WorkflowSubStatus.Cancelled) takeBack(data, row.id);
  if (firing) claim(data, firing);
  if (burst.requestKey !== undefined && !data.requestKeys.has(burst.requestKey))
    data.requestKeys.set(burst.requestKey, { instanceId: row.id, usedAt: row.updatedAt.getTime() });
  data.instances.put(row);
  if (burst.executedBy !== undefined && row.isExecuting) data.executedBy.set(row.id, burst.executedBy);
  else data.executedBy.delete(row.id);
  for (const id of [...burst.removedBookmarkIds, ...burst.consumedBookmarkIds]) {
    data.bookmarks.delete(id);
    // One that is due again is added anew, without a claim.
    data.bookmarkClaims.delete(id);
  }
  for (const bookmark of bookmarks) data.bookmarks.put(bookmark);
  if (burst.activationKey !== undefined) data.activationKeys.put({ id: burst.activationKey, instanceId: row.id });
  if (isFinished(burst)) releaseFinished(data, row.id);
  else if (burst.releasesActivationKey) releaseActivationKeys(data, row.id);
  appendJournal(data, row.id, journal);
  addMessages(data, messages);
  for (const item of items) enqueue(data, item);
  for (const pattern of patterns) data.patterns.set(pattern.hash, pattern);
  if (userTasks) changeTasks(data, userTasks);
}

/** In the order that `BurstCommit` promises. */
function check(data: MemoryData, burst: BurstCommit): void {
  const { instance, expectedRevision, firing, requestKey, activationKey } = burst;
  requireStorableBurst(burst);
  for (const item of burst.queue) requireMatchable(item);
  const goneMessage =
    burst.consumedMessageIds.find((id) => !data.outbox.has(id)) ??
    burst.consumedQueueItemIds.find((id) => !data.queue.has(id));
  if (goneMessage !== undefined) throw new MessageConsumedError(goneMessage);

  const starter = requestKey === undefined ? undefined : data.requestKeys.get(requestKey)?.instanceId;
  if (
    requestKey !== undefined &&
    starter !== undefined &&
    (starter !== instance.id || expectedRevision === undefined)
  ) {
    throw new RequestKeyUsedError(requestKey, starter);
  }
  if (firing && !isDue(data, firing)) throw new OccurrenceClaimedError(firing);

  const consumed = burst.consumedBookmarkIds.find((id) => !data.bookmarks.has(id));
  if (consumed !== undefined) throw new BookmarkConsumedError(consumed, instance.id);
  if (data.instances.get(instance.id)?.revision !== expectedRevision) {
    throw new ConcurrencyConflictError('instance', instance.id);
  }
  const holder = activationKey === undefined ? undefined : data.activationKeys.get(activationKey)?.instanceId;
  if (activationKey !== undefined && holder !== undefined && holder !== instance.id) {
    throw new ActivationRefusedError(activationKey);
  }
  const changed = changedTask(data, burst.userTasks);
  if (changed !== undefined) throw new UserTaskChangedError(changed);
  checkAddedBookmarks(data, burst);
}

const isDue = (data: MemoryData, firing: Firing): boolean =>
  'triggerId' in firing ? isDueAt(data, firing) : isScheduleDue(data, firing);

function claim(data: MemoryData, firing: Firing): void {
  if ('triggerId' in firing) moveOn(data, firing);
  else moveScheduleOn(data, firing);
}

function checkAddedBookmarks(data: MemoryData, burst: BurstCommit): void {
  if (burst.addedBookmarks.length === 0) return;
  const freed = new Set([...burst.removedBookmarkIds, ...burst.consumedBookmarkIds]);
  const added = new Set<string>();
  for (const { id } of burst.addedBookmarks) {
    if (added.has(id) || (data.bookmarks.has(id) && !freed.has(id))) {
      throw new PersistenceError(`Bookmark "${id}" of workflow instance "${burst.instance.id}" already exists.`);
    }
    added.add(id);
  }
}

/** Messages for an instance that were not served yet. */
function takeBack(data: MemoryData, instanceId: string): void {
  for (const { id } of [...data.outbox.find('instance', instanceId)]) data.outbox.delete(id);
}

function releaseFinished(data: MemoryData, instanceId: string): void {
  for (const bookmark of [...data.bookmarks.find('instance', instanceId)]) data.bookmarks.delete(bookmark.id);
  releaseActivationKeys(data, instanceId);
}

export function releaseActivationKeys(data: MemoryData, instanceId: string): void {
  for (const { id } of [...data.activationKeys.find('instance', instanceId)]) data.activationKeys.delete(id);
}
