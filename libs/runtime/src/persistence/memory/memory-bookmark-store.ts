import type { BookmarkFilter, BookmarkStore } from '../lookup-stores.js';
import { requireCondition } from '../persistence-errors.js';
import type { StoredBookmark } from '../records.js';
import { matchesBookmark } from './filters.js';
import { isolate } from './isolate.js';
import { type MemoryData, waitingKey } from './memory-data.js';
import { byAge, compareText, compareTime } from './ordering.js';

export class MemoryBookmarkStore implements BookmarkStore {
  constructor(private readonly data: MemoryData) {}

  async findMany(filter: BookmarkFilter): Promise<StoredBookmark[]> {
    requireCondition('bookmark', filter);
    const found = this.candidates(filter).filter((row) => matchesBookmark(filter, row));
    return isolate(found.sort(byAge));
  }

  async findDue(before: Date, limit: number): Promise<StoredBookmark[]> {
    const due = [...this.data.bookmarks.find('due', 'due')].filter((row) => compareTime(row.dueAt, before) <= 0);
    due.sort((left, right) => compareTime(left.dueAt, right.dueAt) || compareText(left.id, right.id));
    return isolate(due.slice(0, limit));
  }

  /** The smallest set that an index gives; the filter decides. */
  private candidates(filter: BookmarkFilter): StoredBookmark[] {
    const { bookmarks } = this.data;
    const { ids, hash, hashes, workflowInstanceId, workflowInstanceIds, correlationId } = filter;
    if (ids) return [...new Set(ids)].flatMap((id) => bookmarks.get(id) ?? []);
    if (workflowInstanceId !== undefined) return [...bookmarks.find('instance', workflowInstanceId)];
    if (hash !== undefined && correlationId !== undefined)
      return [...bookmarks.find('waiting', waitingKey(hash, correlationId))];
    if (hash !== undefined) return [...bookmarks.find('hash', hash)];
    if (hashes) return [...new Set(hashes)].flatMap((each) => [...bookmarks.find('hash', each)]);
    if (workflowInstanceIds)
      return [...new Set(workflowInstanceIds)].flatMap((id) => [...bookmarks.find('instance', id)]);
    return [...bookmarks.values()];
  }
}
