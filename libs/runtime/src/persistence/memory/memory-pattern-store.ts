import type { BookmarkPatternStore, PatternState } from '../pattern-store.js';
import type { BookmarkPattern } from '../records.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';

export class MemoryBookmarkPatternStore implements BookmarkPatternStore {
  constructor(private readonly data: MemoryData) {}

  async findAll(): Promise<BookmarkPattern[]> {
    return isolate([...this.data.patterns.values()]);
  }

  async findAnnounced(since: Date): Promise<BookmarkPattern[]> {
    return isolate([...this.data.patterns.values()].filter(({ announcedAt }) => announcedAt >= since));
  }

  async state(): Promise<PatternState> {
    return { count: this.data.patterns.size, purges: this.data.patternPurges };
  }

  async purge(before: Date, limit: number): Promise<number> {
    const unused = [...this.data.patterns.values()]
      .filter(({ hash, announcedAt }) => announcedAt < before && ![...this.data.bookmarks.find('hash', hash)].length)
      .slice(0, limit);
    for (const { hash } of unused) this.data.patterns.delete(hash);
    if (unused.length) this.data.patternPurges++;
    return unused.length;
  }
}
