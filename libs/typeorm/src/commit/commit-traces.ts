import type { CommitOutcomeUnknownError } from '@waymark/runtime';
import { backoff } from '../database/backoff.js';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Statement } from '../database/statement.js';
import type { Tables } from '../dialect/tables.js';
import { CHUNK } from '../journal/journal-rows.js';
import type { BurstRows } from './burst-rows.js';

/** The server may still be writing what it was asked to commit: looks follow each other with growing pauses, of half a second together. */
const LOOKS = 8;

const INSTANCE_ID = CHUNK.names.indexOf('instance_id');
const LAST = CHUNK.names.indexOf('last_sequence');
const DATA = CHUNK.names.indexOf('data');

/**
 * Finds commits whose answer was lost, by a row that no other commit can have written: a piece of the journal, which names the
 * executions of its burst, or a new bookmark. Where it is there, all of the transaction is. Where it is not, nothing is known: the
 * server may commit it later, or another one may have taken its place, so the commit is not repeated.
 */
export class CommitTraces {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  /**
   * @param members of one transaction
   * @returns undefined: all of them are stored. The error in any other case
   */
  async outcomeOf(
    members: readonly BurstRows[],
    error: CommitOutcomeUnknownError,
  ): Promise<CommitOutcomeUnknownError | undefined> {
    const trace = this.traceOf(members);
    for (let look = 0; trace && look < LOOKS; look++) {
      if (look > 0) await backoff(look);
      try {
        if ((await this.database.read(trace)).length > 0) return undefined;
      } catch {
        // The store is out: the fault that is reported says so already.
        break;
      }
    }
    return error;
  }

  /** A row of any member serves: all members are stored together, or none. */
  private traceOf(members: readonly BurstRows[]): Statement | undefined {
    const [chunk] = members.flatMap(({ journal }) => journal);
    if (chunk) {
      const last = chunk[LAST] ?? null;
      const sameEnd = last === null ? 'last_sequence IS NULL' : 'last_sequence = ?';
      return {
        sql: `SELECT 1 AS found FROM ${this.tables.journal} WHERE instance_id = ? AND ${sameEnd} AND data = ?`,
        params: [chunk[INSTANCE_ID]!, ...(last === null ? [] : [last]), chunk[DATA]!],
      };
    }
    const [bookmark] = members.flatMap(({ burst, bookmarks }) => (bookmarks.length > 0 ? burst.addedBookmarks : []));
    if (!bookmark) return undefined;
    return { sql: `SELECT 1 AS found FROM ${this.tables.bookmarks} WHERE id = ?`, params: [bookmark.id] };
  }
}
