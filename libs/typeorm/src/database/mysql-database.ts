import type { DataSource } from 'typeorm';
import { ValueTooLargeError } from '@waymark/runtime';
import { type Dialect, DIALECTS } from '../dialect/dialect.js';
import { withValues } from './mysql-text.js';
import type { Link, LinkSocket } from './links.js';
import { packetLimits } from './packet-limits.js';
import { PooledDatabase, type PoolOptions, type Session } from './pooled-database.js';
import { MYSQL_PROTECTIONS, mysqlSettings } from './server-settings.js';
import type { Result, Row, SqlValue, Statement } from './statement.js';

/** The part of a mysql2 pool connection that is used. */
interface MysqlConnection {
  readonly stream?: LinkSocket;
  query(sql: string, values: unknown[] | null, done: (error: unknown, answer: unknown) => void): void;
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

  /** A pool of our own takes several statements in one packet. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly options: PoolOptions,
  ) {
    super(options);
    this.settings = `SET SESSION ${ISOLATION}; ${mysqlSettings(options.statementTimeoutMs)}`;
  }

  /** Each server has its own limit of what a packet may hold: 16 MB by default on MariaDB, 64 MB on MySQL, less at some hosts. */
  override async start(): Promise<void> {
    await super.start();
    await this.warnOfGaps(MYSQL_PROTECTIONS);
    const [row] = await this.read({ sql: 'SELECT @@max_allowed_packet AS bytes', params: [] });
    this.maxPacketBytes = Number(row?.bytes);
    // mysql2, which writes the values for a pool that is not ours, escapes double quotes as well.
    const escaped = this.options.ownPool ? ["'", '\\'] : ["'", '\\', '"'];
    this.dialect = { ...this.dialect, ...packetLimits(this.maxPacketBytes, escaped) };
  }

  protected async open(): Promise<Session> {
    const runner = this.dataSource.createQueryRunner('master');
    const connection = (await runner.connect()) as MysqlConnection;
    const link = this.linkOf(connection, connection.stream);
    return {
      link,
      run: (statements, opening) => this.run(connection, link, statements, opening),
      commit: async () => void (await send(connection, 'COMMIT', null)),
      rollback: async () => void (await send(connection, 'ROLLBACK', null)),
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
    opening: boolean,
  ): Promise<readonly Result[]> {
    if (this.options.ownPool && !link.isSetUp) {
      await send(connection, this.settings, null);
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
    for (const { sql, params } of statements) {
      this.requireSendable(params);
      answers.push(await send(connection, sql, params));
    }
    return answers;
  }

  /** One packet, unless that would be too large. */
  private async together(connection: MysqlConnection, statements: readonly Statement[]): Promise<readonly unknown[]> {
    const texts = statements.map(withValues);
    const packet = texts.length === 1 ? texts[0]! : texts.join('; ');
    const maxChars = Math.min(MAX_PACKET_CHARS, this.maxPacketBytes / MOST_BYTES_OF_A_CHARACTER);
    if (texts.length > 1 && packet.length <= maxChars)
      return (await send(connection, packet, null)) as readonly unknown[];
    const answers: unknown[] = [];
    for (const [index, text] of texts.entries()) {
      if (text.length > maxChars) this.requireSendable(statements[index]!.params);
      answers.push(await send(connection, text, null));
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

/** @param values escaped by mysql2; null: they are in the text */
function send(connection: MysqlConnection, sql: string, values: readonly SqlValue[] | null): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.query(sql, values && [...values], (error, answer) => {
      if (error) reject(error as Error);
      else resolve(answer);
    });
  });
}

function toResult(answer: unknown): Result {
  if (Array.isArray(answer)) return { rows: answer as Row[], affected: answer.length };
  return { rows: [], affected: (answer as { affectedRows?: number }).affectedRows ?? 0 };
}
