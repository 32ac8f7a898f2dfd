import { describe, expect, it, jest } from '@jest/globals';
import type { StoredBookmark } from '../records.js';
import { MemoryBookmarkStore } from './memory-bookmark-store.js';
import { MemoryData } from './memory-data.js';

const bookmark = (id: string, hash: string, workflowInstanceId: string): StoredBookmark => ({
  ...{ id, hash, workflowInstanceId, name: 'Event', activityInstanceId: `a-${id}` },
  createdAt: new Date(0),
});

describe('bookmarks in memory', () => {
  // What is looked at for one stimulus must not grow with the branches of its instance, nor with the instances that wait.
  it.each([
    ['an instance with many branches', 'hash', Array.from({ length: 20 }, (_, n) => bookmark(`${n}`, `h${n}`, 'i'))],
    ['many instances', 'instance', Array.from({ length: 20 }, (_, n) => bookmark(`${n}`, 'h', `i${n}`))],
  ])('bookmarks in memory are found by the smaller index among those of %s', async (_what, index, rows) => {
    const data = new MemoryData();
    for (const row of rows) data.bookmarks.put(row);
    const find = jest.spyOn(data.bookmarks, 'find');
    const { hash, workflowInstanceId, id } = rows[7]!;
    const found = await new MemoryBookmarkStore(data).findMany({ hash, workflowInstanceId });
    expect(found.map((row) => row.id)).toEqual([id]);
    expect(find.mock.calls.map(([by]) => by)).toEqual([index]);
  });
});
