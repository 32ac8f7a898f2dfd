import type { DataSource } from 'typeorm';
import { DIALECTS } from '../dialect/dialect.js';
import { withValues } from './mysql-text.js';
import type { Link, LinkSocket } from './links.js';
import { PooledDatabase, type PoolOptions, type Session } from './pooled-database.js';
import { MYSQL_PROTECTIONS, mysqlSettings } from './server-settings.js';
import type { Result, Row, SqlValue, Statement } from './statement.js';

/** The part of a mysql2 pool connection that is used. */
interface MysqlConnection {
  readonly stream?: LinkSocket;
  query(sql: string, values: unknown[] | null, done: (error: unknown, answer: unknown) => void): void;
  destroy(): void;
}

// Packets are limited (16 MB by default on MariaDB); larger batches go one statement at a time.
const MAX_PACKET_CHARS = 1_000_000;

const ISOLATION = 'TRANSACTION ISOLATION LEVEL READ COMMITTED';

const START: Statement = { sql: 'START TRANSACTION', params: [] };

/**
 * MySQL and MariaDB through mysql2, by the connections of a TypeORM data source. READ COMMITTED: their default would lock
 * gaps, and instances started at the same time would wait for each other or deadlock.
 */
export class MysqlDatabase extends PooledDatabase {
  readonly dialect = DIALECTS.mysql;
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

  override async start(): Promise<void> {
    await super.start();
    await this.warnOfGaps(MYSQL_PROTECTIONS);
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
    // Asking for the time needs no settings, and must not wait: the answer counts as half a round trip old.
    if (this.options.ownPool && !link.isSetUp && statements[0]?.sql !== this.dialect.nowMs) {
      await send(connection, this.settings, null);
      link.isSetUp = true;
    }
    for (const { sql, params } of statements) this.dataSource.logger.logQuery(sql, [...params]);
    const begin = opening ? this.begin() : [];
    const all = [...begin, ...statements];
    const answers = this.options.ownPool ? await together(connection, all) : await inTurn(connection, all);
    return answers.slice(begin.length).map(toResult);
  }

  private begin(): Statement[] {
    return this.options.ownPool ? [START] : [{ sql: `SET ${ISOLATION}`, params: [] }, START];
  }
}

async function inTurn(connection: MysqlConnection, statements: readonly Statement[]): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const { sql, params } of statements) answers.push(await send(connection, sql, params));
  return answers;
}

/** One packet, unless that would be too large. */
async function together(connection: MysqlConnection, statements: readonly Statement[]): Promise<readonly unknown[]> {
  const texts = statements.map(withValues);
  const packet = texts.length === 1 ? texts[0]! : texts.join('; ');
  if (texts.length > 1 && packet.length <= MAX_PACKET_CHARS)
    return (await send(connection, packet, null)) as readonly unknown[];
  const answers: unknown[] = [];
  for (const text of texts) answers.push(await send(connection, text, null));
  return answers;
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
