import type {
  AddedBookmarks,
  BookmarkQueueStore,
  DeadLetterFilter,
  DeliverableItems,
  DeliverableOptions,
  EnqueueOptions,
  ExpiredRows,
  QueueExpiry,
  QueueMatch,
} from '../message-stores.js';
import type { IdPage, Page, PagedResult } from '../paging.js';
import { MessageConsumedError, requireCondition } from '../persistence-errors.js';
import type { BookmarkQueueDeadLetter, BookmarkQueueItem, StoredBookmark } from '../records.js';
import { requireStorableItem } from '../storable-rows.js';
import { matchesDeadLetter } from './dead-letter-filters.js';
import { satisfies } from './filters.js';
import { isolate } from './isolate.js';
import { hasMessage, type MemoryData } from './memory-data.js';
import { byAge, compareText, compareTime, idWindow, window } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryBookmarkQueueStore implements BookmarkQueueStore {
  constructor(private readonly data: MemoryData) {}

  async enqueue(item: BookmarkQueueItem, consumedMessageId?: string, options?: EnqueueOptions): Promise<string> {
    requireMatchable(item);
    const copy = isolate(item);
    if (consumedMessageId !== undefined && !this.data.outbox.delete(consumedMessageId))
      throw new MessageConsumedError(consumedMessageId);
    return enqueue(this.data, copy, options);
  }

  async findMatching(match: QueueMatch, limit: number, now?: Date): Promise<BookmarkQueueItem[]> {
    const found = [...this.data.queue.values()].filter(
      (item) => satisfies(match, item) && (!now || compareTime(item.expiresAt, now) > 0),
    );
    return isolate(found.sort(byAge).slice(0, limit));
  }

  async findDeliverable({ now, limit, after, unlessMessage, addedTo }: DeliverableOptions): Promise<DeliverableItems> {
    const alive = [...this.data.queue.values()].filter(
      (item) => compareTime(item.expiresAt, now) > 0 && (!addedTo || isFor(addedTo, item)),
    );
    alive.sort((left, right) => compareText(positionOf(left), positionOf(right)));
    const ids: string[] = [];
    for (const item of alive) {
      if (after !== undefined && positionOf(item) <= after) continue;
      if (hasMessage(this.data, unlessMessage, item.id) || !this.hasBookmark(item)) continue;
      ids.push(item.id);
      if (ids.length === limit) return { ids, next: positionOf(item) };
    }
    return { ids, next: undefined };
  }

  private hasBookmark(item: BookmarkQueueItem): boolean {
    const { bookmarks } = this.data;
    const { bookmarkId, stimulusHash, workflowInstanceId } = item;
    let rows: Iterable<StoredBookmark> = [];
    if (bookmarkId !== undefined) rows = [bookmarks.get(bookmarkId)].filter((row) => row !== undefined);
    else if (stimulusHash !== undefined) rows = bookmarks.find('hash', stimulusHash);
    else if (workflowInstanceId !== undefined) rows = bookmarks.find('instance', workflowInstanceId);
    else rows = bookmarks.values();
    for (const row of rows) if (satisfies({ ...row, bookmarkId: row.id }, item)) return true;
    return false;
  }

  async find(id: string): Promise<BookmarkQueueItem | undefined> {
    const item = this.data.queue.get(id);
    return item && isolate(item);
  }

  async fail(id: string, error: string, maxAttempts: number, now: Date): Promise<void> {
    const item = this.data.queue.get(id);
    if (!item) return;
    const failed = { ...item, attempts: item.attempts + 1, lastError: error };
    if (failed.attempts >= maxAttempts) this.toDeadLetters(failed, 'Failed', now);
    else this.data.queue.put(failed);
  }

  async expire({ keepDeadLettersMs, limit, ...given }: QueueExpiry): Promise<ExpiredRows> {
    const now = new Date(timeOf(given));
    const deadLettersBefore = now.getTime() - keepDeadLettersMs;
    const expired = [...this.data.queue.values()].filter((item) => compareTime(item.expiresAt, now) <= 0);
    const moved = expired.sort((left, right) => compareTime(left.expiresAt, right.expiresAt)).slice(0, limit);
    for (const item of moved) this.toDeadLetters(item, 'Expired', now);

    const old = [...this.data.deadLetters.values()].filter((row) => row.deadLetteredAt.getTime() < deadLettersBefore);
    const purged = old.slice(0, limit);
    for (const { id } of purged) this.data.deadLetters.delete(id);

    const keys = [...this.data.idempotencyKeys].filter(([, { expiresAt }]) => expiresAt <= now.getTime());
    const forgotten = keys.slice(0, limit);
    for (const [key] of forgotten) this.data.idempotencyKeys.delete(key);
    return { expired: moved.length, purged: purged.length, forgotten: forgotten.length };
  }

  async findDeadLetters(filter: DeadLetterFilter, page?: Page): Promise<PagedResult<BookmarkQueueDeadLetter>> {
    const rows = [...this.data.deadLetters.values()].filter((row) => matchesDeadLetter(filter, row));
    rows.sort(
      (left, right) => compareTime(right.deadLetteredAt, left.deadLetteredAt) || compareText(right.id, left.id),
    );
    const { items, ...total } = window(rows, page);
    return { items: isolate(items), ...total };
  }

  async findDeadLetter(id: string): Promise<BookmarkQueueDeadLetter | undefined> {
    const row = this.data.deadLetters.get(id);
    return row && isolate(row);
  }

  async findDeadLettersAfter(filter: DeadLetterFilter, page: IdPage): Promise<BookmarkQueueDeadLetter[]> {
    const rows = [...this.data.deadLetters.values()].filter((row) => matchesDeadLetter(filter, row));
    return isolate(idWindow(rows, page));
  }

  async deleteDeadLetters(ids: readonly string[]): Promise<number> {
    return ids.filter((id) => this.data.deadLetters.delete(id)).length;
  }

  async replay(id: string, item: BookmarkQueueItem): Promise<boolean> {
    requireMatchable(item);
    const row = this.data.deadLetters.get(id);
    if (!row?.canReplay) return false;
    const copy = isolate(item);
    this.data.deadLetters.put({ ...row, canReplay: false, replayedAt: new Date(copy.createdAt) });
    put(this.data, copy);
    return true;
  }

  private toDeadLetters(item: BookmarkQueueItem, reason: BookmarkQueueDeadLetter['reason'], now: Date): void {
    this.data.queue.delete(item.id);
    const deadLetteredAt = new Date(now);
    this.data.deadLetters.put({ ...item, originalQueueItemId: item.id, deadLetteredAt, reason, canReplay: true });
  }
}

function isFor({ workflowInstanceId, hashes }: AddedBookmarks, item: BookmarkQueueItem): boolean {
  if (item.workflowInstanceId !== undefined) return item.workflowInstanceId === workflowInstanceId;
  return item.stimulusHash === undefined || !hashes || hashes.includes(item.stimulusHash);
}

/** The earlier it expires, the smaller; the id decides between equal times. */
function positionOf({ expiresAt, id }: BookmarkQueueItem): string {
  return `${expiresAt.getTime().toString().padStart(16, '0')} ${id}`;
}

/** @throws EmptyFilterError for an item that any bookmark would satisfy; TextNotStorableError */
export function requireMatchable(item: BookmarkQueueItem): void {
  const { workflowInstanceId, correlationId, bookmarkId, stimulusHash, activityInstanceId, activityTypeName } = item;
  requireCondition('bookmark queue item', {
    workflowInstanceId,
    correlationId,
    bookmarkId,
    stimulusHash,
    activityInstanceId,
    activityTypeName,
  });
  requireStorableItem(item);
}

/** @param item a private copy */
export function enqueue(data: MemoryData, item: BookmarkQueueItem, { renewsKey }: EnqueueOptions = {}): string {
  const known = item.idempotencyKey === undefined ? undefined : data.idempotencyKeys.get(item.idempotencyKey);
  if (known && (!renewsKey || data.queue.has(known.itemId))) return known.itemId;
  if (!data.queue.has(item.id)) put(data, item);
  return item.id;
}

function put(data: MemoryData, item: BookmarkQueueItem): void {
  data.queue.put(item);
  if (item.idempotencyKey !== undefined) {
    data.idempotencyKeys.set(item.idempotencyKey, { itemId: item.id, expiresAt: item.expiresAt.getTime() });
  }
}
