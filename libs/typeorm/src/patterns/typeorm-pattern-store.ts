import type { BookmarkPatternStore, PatternState } from '@waymark/runtime/adapter';
import type { BookmarkPattern } from '@waymark/runtime';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { PATTERN } from './pattern-rows.js';

/** Nodes find new rows by their time; what they miss, by the number of rows, and by a counter of the purges, which make it fall. */
export class TypeOrmBookmarkPatternStore implements BookmarkPatternStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async findAll(): Promise<BookmarkPattern[]> {
    const sql = `SELECT ${PATTERN.list} FROM ${this.tables.patterns} ORDER BY hash`;
    return (await this.database.read({ sql, params: [] })).map(PATTERN.listed);
  }

  async findAnnounced(since: Date): Promise<BookmarkPattern[]> {
    const sql = `SELECT ${PATTERN.list} FROM ${this.tables.patterns} WHERE announced_at >= ?`;
    return (await this.database.read({ sql, params: [time(since)] })).map(PATTERN.listed);
  }

  async state(): Promise<PatternState> {
    const { counters, patterns } = this.tables;
    const sql = `SELECT counted, (SELECT COUNT(*) FROM ${patterns}) AS known FROM ${counters} WHERE name = 'pattern purges'`;
    const [row] = await this.database.read({ sql, params: [] });
    return { count: toNumber(row?.known), purges: toNumber(row?.counted) };
  }

  async purge(before: Date, limit: number): Promise<number> {
    const { bookmarks, counters, patterns } = this.tables;
    const unused = `announced_at < ? AND NOT EXISTS (SELECT 1 FROM ${bookmarks} WHERE ${bookmarks}.hash = ${patterns}.hash)`;
    // Asked first: usually there is nothing to do, and then nothing is locked.
    const sql = `SELECT hash FROM ${patterns} WHERE ${unused} LIMIT ?`;
    const found = await this.database.read({ sql, params: [time(before), limit] });
    if (found.length === 0) return 0;
    const hashes = found.map((row) => toText(row.hash)).sort();
    // Some may have been announced again since then.
    const { where, params } = new Conditions(this.database.dialect).oneOf('hash', hashes).add(unused, time(before));
    const [, deleted] = await this.database.transact(() =>
      inOneGo([
        { sql: `UPDATE ${counters} SET counted = counted + 1 WHERE name = 'pattern purges'`, params: [] },
        { sql: `DELETE FROM ${patterns}${where}`, params },
      ]),
    );
    return deleted?.affected ?? 0;
  }
}
