import type { BookmarkQueueStore, QueueExpiry, QueueMatch } from '../message-stores.js';
import type { Page, PagedResult } from '../paging.js';
import { requireCondition } from '../persistence-errors.js';
import type { BookmarkQueueDeadLetter, BookmarkQueueItem } from '../records.js';
import { requireStorableItem } from '../storable-rows.js';
import { satisfies } from './filters.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';
import { byAge, compareText, compareTime, window } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryBookmarkQueueStore implements BookmarkQueueStore {
  constructor(private readonly data: MemoryData) {}

  async enqueue(item: BookmarkQueueItem): Promise<string> {
    requireMatchable(item);
    return enqueue(this.data, isolate(item));
  }

  async findMatching(match: QueueMatch, limit: number, now?: Date): Promise<BookmarkQueueItem[]> {
    const found = [...this.data.queue.values()].filter(
      (item) => satisfies(match, item) && (!now || compareTime(item.expiresAt, now) > 0),
    );
    return isolate(found.sort(byAge).slice(0, limit));
  }

  async findDeliverable(now: Date, limit: number): Promise<string[]> {
    const bookmarks = [...this.data.bookmarks.values()].map((row) => ({ ...row, bookmarkId: row.id }));
    const found = [...this.data.queue.values()].filter(
      (item) => compareTime(item.expiresAt, now) > 0 && bookmarks.some((row) => satisfies(row, item)),
    );
    return found
      .sort(byAge)
      .slice(0, limit)
      .map(({ id }) => id);
  }

  async find(id: string): Promise<BookmarkQueueItem | undefined> {
    const item = this.data.queue.get(id);
    return item && isolate(item);
  }

  async fail(id: string, error: string, maxAttempts: number, now: Date): Promise<void> {
    const item = this.data.queue.get(id);
    if (!item) return;
    const failed = { ...item, attempts: item.attempts + 1, lastError: error };
    if (failed.attempts >= maxAttempts) this.setAside(failed, 'Failed', now);
    else this.data.queue.put(failed);
  }

  async expire({ keepDeadLettersMs, limit, ...given }: QueueExpiry): Promise<{ expired: number; purged: number }> {
    const now = new Date(timeOf(given));
    const deadLettersBefore = now.getTime() - keepDeadLettersMs;
    const expired = [...this.data.queue.values()].filter((item) => compareTime(item.expiresAt, now) <= 0);
    const moved = expired.sort((left, right) => compareTime(left.expiresAt, right.expiresAt)).slice(0, limit);
    for (const item of moved) this.setAside(item, 'Expired', now);

    const old = [...this.data.deadLetters.values()].filter((row) => row.deadLetteredAt.getTime() < deadLettersBefore);
    const purged = old.slice(0, limit);
    for (const { id } of purged) this.data.deadLetters.delete(id);

    for (const [key, { expiresAt }] of this.data.idempotencyKeys) {
      if (expiresAt <= now.getTime()) this.data.idempotencyKeys.delete(key);
    }
    return { expired: moved.length, purged: purged.length };
  }

  async findDeadLetters(
    filter: { workflowInstanceId?: string },
    page?: Page,
  ): Promise<PagedResult<BookmarkQueueDeadLetter>> {
    const { workflowInstanceId } = filter;
    const rows = [...this.data.deadLetters.values()].filter(
      (row) => workflowInstanceId === undefined || row.workflowInstanceId === workflowInstanceId,
    );
    rows.sort(
      (left, right) => compareTime(right.deadLetteredAt, left.deadLetteredAt) || compareText(right.id, left.id),
    );
    const { items, totalCount } = window(rows, page);
    return { items: isolate(items), totalCount };
  }

  async findDeadLetter(id: string): Promise<BookmarkQueueDeadLetter | undefined> {
    const row = this.data.deadLetters.get(id);
    return row && isolate(row);
  }

  async deleteDeadLetter(id: string): Promise<boolean> {
    return this.data.deadLetters.delete(id);
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

  private setAside(item: BookmarkQueueItem, reason: BookmarkQueueDeadLetter['reason'], now: Date): void {
    this.data.queue.delete(item.id);
    const deadLetteredAt = new Date(now);
    this.data.deadLetters.put({ ...item, originalQueueItemId: item.id, deadLetteredAt, reason, canReplay: true });
  }
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
export function enqueue(data: MemoryData, item: BookmarkQueueItem): string {
  const known = item.idempotencyKey === undefined ? undefined : data.idempotencyKeys.get(item.idempotencyKey);
  if (known) return known.itemId;
  if (!data.queue.has(item.id)) put(data, item);
  return item.id;
}

function put(data: MemoryData, item: BookmarkQueueItem): void {
  data.queue.put(item);
  if (item.idempotencyKey !== undefined) {
    data.idempotencyKeys.set(item.idempotencyKey, { itemId: item.id, expiresAt: item.expiresAt.getTime() });
  }
}
