import { DIALECTS } from '../dialect/dialect.js';
import { PersistenceError, StoreUnavailableError } from '@waymark/runtime';
import { loopTurns } from '@waymark/runtime/adapter';
import { isSqliteBusy } from '../dialect/sqlite-errors.js';
import { retrying } from './backoff.js';
import { translate } from './failure.js';
import { GroupCommit } from './group-commit.js';
import { SqliteFile } from './sqlite-file.js';
import { SqliteLog } from './sqlite-log.js';
import type { SqlDatabase, Work } from './sql-database.js';
import type { SqliteHandle, SqliteStatement } from './sqlite-handle.js';
import { containsTerm } from './term-search.js';
import { type Result, type Row, type SqlValue, type Statement, verify } from './statement.js';

const MAX_PREPARED = 300;

interface Open {
  readonly handle: SqliteHandle;
  readonly file: SqliteFile;
  readonly log: SqliteLog | undefined;
  readonly writer: GroupCommit;
}

/**
 * SQLite through the one connection of a data source of ours. Statements run synchronously, a transaction without a pause
 * in between: TypeORM's own way, one awaited statement after the other on a shared connection, lets callers get into each
 * other's transactions.
 */
export class SqliteDatabase implements SqlDatabase {
  readonly dialect = DIALECTS.sqlite;
  readonly isRemote = false;
  /** Writes of a group are not tried alone here. */
  readonly isOut = false;
  private readonly prepared = new Map<string, SqliteStatement>();
  private open: Open | undefined;
  private wasOpen = false;
  private charsSent = 0;

  /**
   * @param connect gives the connection, which is there once the data source is initialized
   * @param now see `GroupCommit`
   * @param sync of a file to the disk
   */
  constructor(
    private readonly connect: () => SqliteHandle,
    private readonly now?: () => number,
    private readonly sync?: (file: number) => Promise<void>,
  ) {}

  async start(): Promise<void> {
    if (this.open) return;
    const handle = this.connect();
    const lower = (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : text);
    handle.function('waymark_lower', { deterministic: true }, lower);
    handle.function('waymark_contains', { deterministic: true }, containsTerm());
    const file = await retrying(() => new SqliteFile(handle), isSqliteBusy);
    const log = await retrying(() => SqliteLog.open(handle, file.path, this.sync), isSqliteBusy);
    const writer = new GroupCommit(
      handle,
      () => file.check(),
      () => this.charsSent,
      log,
      this.now,
    );
    this.open = { handle, file, log, writer };
    this.wasOpen = true;
  }

  async read(statement: Statement): Promise<readonly Row[]> {
    // Whatever asks thousands of times in a row would otherwise do so in one turn of the event loop: nothing here waits.
    const turn = loopTurns.goOn();
    if (turn) await turn;
    try {
      const { file, writer } = this.opened;
      file.checkForReader();
      writer.endLeftOpen();
      return (await retrying(() => this.execute(statement), isSqliteBusy)).rows;
    } catch (error) {
      throw translate(error, this.dialect);
    }
  }

  async transact<T>(work: () => Work<T>): Promise<T> {
    try {
      return await this.opened.writer.run(() => this.drive(work()));
    } catch (error) {
      throw translate(error, this.dialect);
    }
  }

  /** Nothing here is put off. */
  expect(): void {}

  async close(end?: () => Promise<void>): Promise<void> {
    const { open } = this;
    await open?.writer.idle();
    this.open = undefined;
    this.prepared.clear();
    await open?.log?.close();
    await end?.();
  }

  private get opened(): Open {
    if (!this.open && this.wasOpen) throw new StoreUnavailableError('The SQLite database was closed.');
    if (!this.open) throw new PersistenceError('The SQLite database is not open. Call initialize() first.');
    return this.open;
  }

  private drive<T>(work: Work<T>): T {
    let step = work.next();
    while (!step.done) {
      const results = step.value.map((statement) => {
        const result = this.execute(statement);
        verify(statement, result);
        return result;
      });
      step = work.next(results);
    }
    return step.value;
  }

  private execute({ sql, params }: Statement): Result {
    const statement = this.prepare(sql);
    const bound: (string | number | null)[] = [];
    for (const param of params) {
      const value = toBound(param);
      if (typeof value === 'string') this.charsSent += value.length;
      bound.push(value);
    }
    if (!statement.reader) return { rows: [], affected: statement.run(...bound).changes };
    const rows = statement.all(...bound) as Row[];
    return { rows, affected: rows.length };
  }

  private prepare(sql: string): SqliteStatement {
    let statement = this.prepared.get(sql);
    if (!statement) {
      statement = this.opened.handle.prepare(sql);
      // Statements differ by their number of rows, so their texts have no bound. The oldest goes.
      if (this.prepared.size >= MAX_PREPARED) this.prepared.delete(this.prepared.keys().next().value as string);
      this.prepared.set(sql, statement);
    }
    return statement;
  }
}

/** Lists go as JSON to `json_each`. */
function toBound(param: SqlValue): string | number | null {
  return typeof param === 'object' && param !== null ? JSON.stringify(param) : param;
}
