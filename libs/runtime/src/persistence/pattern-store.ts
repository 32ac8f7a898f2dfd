import type { BookmarkPattern } from './records.js';

/** Tells whether patterns have come or gone. */
export interface PatternState {
  /** Patterns that are there. */
  readonly count: number;
  /** Grows each time that some are removed. */
  readonly purges: number;
}

/**
 * Patterns at which instances wait or have waited. A bookmark is found by its hash; what is waited for by a pattern,
 * such as a path with parameters, must know the pattern before there is anything to hash. Written by `commit`.
 */
export interface BookmarkPatternStore {
  /** All patterns, in no order. What cannot be read of one is left out, and noted in it: routes of the others depend on the answer. */
  findAll(): Promise<BookmarkPattern[]>;
  /** Those announced then or later, in no order; cheap enough to ask for twice a second (W6). As `findAll` otherwise. */
  findAnnounced(since: Date): Promise<BookmarkPattern[]>;
  /** How many there are, and how often some were removed: by this and other nodes. */
  state(): Promise<PatternState>;
  /** Removes those at which no bookmark waits and that no commit has announced since then. Returns how many, `limit` at most. */
  purge(before: Date, limit: number): Promise<number>;
}
