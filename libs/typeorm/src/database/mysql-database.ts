import type { DataSource } from 'typeorm';
import { DIALECTS } from '../dialect/dialect.js';
import { PooledDatabase, type Session } from './pooled-database.js';
import type { Result, Row, SqlValue, Statement } from './statement.js';

/** The part of a mysql2 pool connection that is used. */
interface MysqlConnection {
  query(sql: string, values: unknown[], done: (error: unknown, answer: unknown) => void): void;
  destroy(): void;
}

export interface MysqlDatabaseOptions {
  /** The pool is ours: it takes several statements in one packet, and its sessions may be set up as we like. */
  readonly ownPool: boolean;
}

// Packets are limited (16 MB by default on MariaDB); larger batches go one statement at a time.
const MAX_PACKET_CHARS = 1_000_000;

const ISOLATION = 'TRANSACTION ISOLATION LEVEL READ COMMITTED';

/**
 * MySQL and MariaDB through mysql2, by the connections of a TypeORM data source. READ COMMITTED: their default would lock
 * gaps, and instances started at the same time would wait for each other or deadlock.
 */
export class MysqlDatabase extends PooledDatabase {
  readonly dialect = DIALECTS.mysql;
  private readonly prepared = new WeakSet<MysqlConnection>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: MysqlDatabaseOptions,
  ) {
    super();
  }

  protected async open(): Promise<Session> {
    const runner = this.dataSource.createQueryRunner('master');
    const connection = (await runner.connect()) as MysqlConnection;
    return {
      run: (statements, opening) => this.run(connection, statements, opening),
      commit: async () => void (await send(connection, 'COMMIT', [])),
      rollback: async () => void (await send(connection, 'ROLLBACK', [])),
      release: (broken) => {
        // A destroyed connection leaves the pool by itself.
        if (broken) connection.destroy();
        else void runner.release();
      },
    };
  }

  private async run(
    connection: MysqlConnection,
    statements: readonly Statement[],
    opening: boolean,
  ): Promise<readonly Result[]> {
    const begin = opening ? this.begin(connection) : [];
    const all = [...begin, ...statements];
    for (const { sql, params } of statements) this.dataSource.logger.logQuery(sql, [...params]);
    const answers =
      this.options.ownPool && fitsOnePacket(all) ? await together(connection, all) : await inTurn(connection, all);
    return answers.slice(begin.length).map(toResult);
  }

  private begin(connection: MysqlConnection): Statement[] {
    const start = { sql: 'START TRANSACTION', params: [] };
    if (!this.options.ownPool) return [{ sql: `SET ${ISOLATION}`, params: [] }, start];
    if (this.prepared.has(connection)) return [start];
    this.prepared.add(connection);
    return [{ sql: `SET SESSION ${ISOLATION}`, params: [] }, start];
  }
}

async function inTurn(connection: MysqlConnection, statements: readonly Statement[]): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const { sql, params } of statements) answers.push(await send(connection, sql, params));
  return answers;
}

async function together(connection: MysqlConnection, statements: readonly Statement[]): Promise<readonly unknown[]> {
  const sql = statements.map((statement) => statement.sql).join('; ');
  const answer = await send(
    connection,
    sql,
    statements.flatMap((statement) => statement.params),
  );
  return statements.length === 1 ? [answer] : (answer as readonly unknown[]);
}

/** Values are escaped by mysql2, also in a packet of several statements. */
function send(connection: MysqlConnection, sql: string, params: readonly SqlValue[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    connection.query(sql, [...params], (error, answer) => {
      if (error) reject(error as Error);
      else resolve(answer);
    });
  });
}

function fitsOnePacket(statements: readonly Statement[]): boolean {
  let chars = 0;
  for (const { sql, params } of statements) {
    chars += sql.length;
    for (const param of params) chars += typeof param === 'string' ? param.length : 20;
  }
  return chars <= MAX_PACKET_CHARS;
}

function toResult(answer: unknown): Result {
  if (Array.isArray(answer)) return { rows: answer as Row[], affected: answer.length };
  return { rows: [], affected: (answer as { affectedRows?: number }).affectedRows ?? 0 };
}
