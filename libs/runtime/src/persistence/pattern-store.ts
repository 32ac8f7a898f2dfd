import type { BookmarkPattern } from './records.js';

/**
 * Patterns at which instances wait or have waited. A bookmark is found by its hash; what is waited for by a pattern,
 * such as a path with parameters, must know the pattern before there is anything to hash. Written by `commit`.
 */
export interface BookmarkPatternStore {
  /** All patterns, in no order. */
  findAll(): Promise<BookmarkPattern[]>;
  /** Another text whenever a pattern was added or removed, on any node; cheap enough to ask for twice a second (W6). */
  changeToken(): Promise<string>;
  /** Removes those at which no bookmark waits and that no commit has announced since then. Returns how many, `limit` at most. */
  purge(before: Date, limit: number): Promise<number>;
}
