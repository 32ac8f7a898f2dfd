import type { DataSource } from 'typeorm';
import { PersistenceError, ValueTooLargeError } from '@waymark/runtime';
import { type Dialect, DIALECTS } from '../dialect/dialect.js';
import { bytesAnywhere, bytesQuoted, type Quote, quotedAnywhere, withValues } from './mysql-text.js';
import type { Link, LinkSocket } from './links.js';
import { packetLimits } from './packet-limits.js';
import { type Opening, PooledDatabase, type PoolOptions, type Session } from './pooled-database.js';
import { MYSQL_PROTECTIONS, MYSQL_TEXT_MODE, mysqlSettings } from './server-settings.js';
import type { Result, Row, SqlValue, Statement } from './statement.js';

/** The part of a mysql2 pool connection that is used. */
interface MysqlConnection {
  readonly stream?: LinkSocket;
  query(sql: string, values: null, done: (error: unknown, answer: unknown) => void): void;
  destroy(): void;
}

// Larger batches go one statement at a time.
const MAX_PACKET_CHARS = 1_000_000;

/** As the server's default, until it has been asked. */
const DEFAULT_PACKET_BYTES = 16_777_216;

const ISOLATION = 'TRANSACTION ISOLATION LEVEL READ COMMITTED';

const MOST_BYTES_OF_A_CHARACTER = 3;

const START: Statement = { sql: 'START TRANSACTION', params: [] };

/**
 * MySQL and MariaDB through mysql2, by the connections of a TypeORM data source. READ COMMITTED: their default would lock
 * gaps, and instances started at the same time would wait for each other or deadlock.
 */
export class MysqlDatabase extends PooledDatabase {
  dialect: Dialect = DIALECTS.mysql;
  private maxPacketBytes = DEFAULT_PACKET_BYTES;
  /** Once for each session of our own pool. Without values, which are written for a session that has this behind it. */
  private readonly settings: string;
  private readonly quotes = new WeakMap<MysqlConnection, Quote | undefined>();

  /** A pool of our own takes several statements in one packet. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly options: PoolOptions,
  ) {
    super(options);
    this.settings = `SET SESSION ${ISOLATION}; ${mysqlSettings(options.statementTimeoutMs)}; ${MYSQL_TEXT_MODE}`;
  }

  /** Each server has its own limit of what a packet may hold: 16 MB by default on MariaDB, 64 MB on MySQL, less at some hosts. */
  override async start(): Promise<void> {
    await super.start();
    await this.warnOfGaps(MYSQL_PROTECTIONS);
    const [row] = await this.read({ sql: `${MYSQL_TEXT_MODE}, @@max_allowed_packet AS bytes`, params: [] });
    this.maxPacketBytes = Number(row?.bytes);
    const sentBytes = readsOurTexts(row) ? bytesQuoted : bytesAnywhere;
    this.dialect = { ...this.dialect, ...packetLimits(this.maxPacketBytes, sentBytes) };
  }

  protected async open(): Promise<Session> {
    const runner = this.dataSource.createQueryRunner('master');
    const connection = (await runner.connect()) as MysqlConnection;
    const link = this.linkOf(connection, connection.stream);
    return {
      link,
      run: (statements, opening) => this.run(connection, link, statements, opening),
      commit: async () => void (await send(connection, 'COMMIT')),
      rollback: async () => void (await send(connection, 'ROLLBACK')),
      release: (broken) => {
        if (!broken) return void runner.release();
        // A destroyed connection leaves the pool by itself, but waits for the server to hang up.
        connection.destroy();
        connection.stream?.destroy();
      },
    };
  }

  private async run(
    connection: MysqlConnection,
    link: Link,
    statements: readonly Statement[],
    opening: Opening | undefined,
  ): Promise<readonly Result[]> {
    if (this.options.ownPool && !link.isSetUp) {
      requireTextMode(await send(connection, this.settings));
      link.isSetUp = true;
    }
    for (const { sql, params } of statements) this.dataSource.logger.logQuery(sql, [...params]);
    const begin = opening ? this.begin() : [];
    const all = [...begin, ...statements];
    const answers = this.options.ownPool ? await this.together(connection, all) : await this.inTurn(connection, all);
    return answers.slice(begin.length).map(toResult);
  }

  private begin(): Statement[] {
    return this.options.ownPool ? [START] : [{ sql: `SET ${ISOLATION}`, params: [] }, START];
  }

  private async inTurn(connection: MysqlConnection, statements: readonly Statement[]): Promise<readonly unknown[]> {
    const answers: unknown[] = [];
    const quote = await this.quoteFor(connection);
    for (const statement of statements) {
      this.requireSendable(statement.params);
      answers.push(await send(connection, withValues(statement, quote)));
    }
    return answers;
  }

  /** The application decides how its sessions read texts; each is asked once. */
  private async quoteFor(connection: MysqlConnection): Promise<Quote | undefined> {
    if (!this.quotes.has(connection)) {
      const [row] = (await send(connection, MYSQL_TEXT_MODE)) as readonly Row[];
      this.quotes.set(connection, readsOurTexts(row) ? undefined : quotedAnywhere);
    }
    return this.quotes.get(connection);
  }

  /** One packet, unless that would be too large. */
  private async together(connection: MysqlConnection, statements: readonly Statement[]): Promise<readonly unknown[]> {
    const texts = statements.map((statement) => withValues(statement));
    const packet = texts.length === 1 ? texts[0]! : texts.join('; ');
    const maxChars = Math.min(MAX_PACKET_CHARS, this.maxPacketBytes / MOST_BYTES_OF_A_CHARACTER);
    if (texts.length > 1 && packet.length <= maxChars) return (await send(connection, packet)) as readonly unknown[];
    const answers: unknown[] = [];
    for (const [index, text] of texts.entries()) {
      if (text.length > maxChars) this.requireSendable(statements[index]!.params);
      answers.push(await send(connection, text));
    }
    return answers;
  }

  /**
   * The server would refuse a packet that is too large, and close the connection, in the middle of receiving it.
   * @throws ValueTooLargeError
   */
  private requireSendable(params: Statement['params']): void {
    const { maxValueBytes: maxBytes, sentBytes, sizeAdvice: advice } = this.dialect;
    const isLong = (value: SqlValue) => typeof value === 'string' && value.length > maxBytes / 8;
    if (!params.some(isLong)) return;
    const bytes = params.reduce<number>((sum, value) => sum + (typeof value === 'string' ? sentBytes(value) : 8), 0);
    if (bytes > maxBytes) throw new ValueTooLargeError({ subject: 'A value to be stored', bytes, maxBytes, advice });
  }
}

/**
 * A pool between us and the server may answer with another session than the one that was set up.
 * @throws PersistenceError
 */
function requireTextMode(answers: unknown): void {
  const [row] = (answers as readonly unknown[]).at(-1) as readonly Row[];
  if (readsOurTexts(row)) return;
  const { charset, mode } = row ?? {};
  throw new PersistenceError(
    `The session of the mysql database reads texts as ${String(charset)} with sql_mode '${String(mode)}' after it was set to ` +
      'utf8mb4 without NO_BACKSLASH_ESCAPES: texts could be read as SQL. Connect to the server itself, or to a proxy that keeps ' +
      'the settings of a session.',
  );
}

/** Whether a session reads texts as they are written by `withValues`. @param row answered to `MYSQL_TEXT_MODE` */
function readsOurTexts({ charset, mode }: Row = {}): boolean {
  return charset === 'utf8mb4' && !String(mode).includes('NO_BACKSLASH_ESCAPES');
}

/** @param sql with its values in it: mysql2 would write them for a session that takes backslashes for escapes */
function send(connection: MysqlConnection, sql: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.query(sql, null, (error, answer) => {
      if (error) reject(error as Error);
      else resolve(answer);
    });
  });
}

function toResult(answer: unknown): Result {
  if (Array.isArray(answer)) return { rows: answer as Row[], affected: answer.length };
  return { rows: [], affected: (answer as { affectedRows?: number }).affectedRows ?? 0 };
}
