import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { DataSource, QueryRunner } from 'typeorm';
import { type Dialect, DIALECTS, withNumbers } from '../dialect/dialect.js';
import type { Link, LinkSocket } from './links.js';
import { type Opening, PooledDatabase, type PoolOptions, type Session } from './pooled-database.js';
import { ValueList } from '../dialect/value-list.js';
import { isBehindPooler, sayThatItIsPooled } from './postgres-pooler.js';
import { POSTGRES_KEPT_PLANS, POSTGRES_PROTECTIONS, postgresSettings } from './server-settings.js';
import type { Result, Row, SqlValue, Statement } from './statement.js';

/** The part of pg's client that is used. */
interface PgClient {
  /** Whether it sends a query before the one before is answered. */
  readonly pipeline?: boolean;
  readonly connection?: { readonly stream?: LinkSocket & Partial<Pick<Writable, 'cork' | 'uncork'>> };
  query(query: PgQuery): Promise<PgResult>;
}

type PgQuery = { readonly name?: string; readonly text: string; readonly values: unknown[] } | string;

interface PgResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly Row[];
}

export interface PostgresDatabaseOptions extends PoolOptions {
  /** Let the server keep parsed statements, and the settings of our sessions. Undefined: unless there is a pooler in between. */
  readonly preparedStatements: boolean | undefined;
}

// Statements differ by their number of rows, so their texts have no bound; a server keeps only the frequent ones.
const MAX_PREPARED = 200;

/**
 * PostgreSQL through pg, by the connections of a TypeORM data source. With pg's `pipeline` (set on pools of our own) the
 * statements of a batch are sent without waiting for each other, in one round trip; else one at a time.
 */
export class PostgresDatabase extends PooledDatabase {
  dialect: Dialect = DIALECTS.postgres;
  private readonly queries = new Map<string, { text: string; name?: string }>();
  /** False until `start` has found out. */
  private keepsSessions = false;
  /** Servers before version 12 decide for themselves whose plans they keep. */
  private keepsPlans = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly options: PostgresDatabaseOptions,
  ) {
    super(options);
  }

  /** Servers built without ICU know no lower case but that of the database's own locale. */
  override async start(): Promise<void> {
    await super.start();
    const { ownPool, preparedStatements, statementTimeoutMs } = this.options;
    const isPooled =
      ownPool && preparedStatements !== false && (await isBehindPooler(this.dataSource, statementTimeoutMs));
    if (isPooled) sayThatItIsPooled(preparedStatements);
    this.keepsSessions = preparedStatements ?? (ownPool && !isPooled);
    const sql =
      "SELECT EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu') AS has_icu, " +
      "current_setting('plan_cache_mode', true) IS NOT NULL AS has_modes";
    const [found] = await this.read({ sql, params: [] });
    this.keepsPlans = ownPool && this.keepsSessions && found?.has_modes === true;
    if (found?.has_icu !== true)
      this.dialect = { ...this.dialect, lower: (text) => `lower(${text} COLLATE "default")` };
    // Otherwise each transaction has them.
    if (!ownPool || this.keepsSessions) await this.warnOfGaps(POSTGRES_PROTECTIONS);
  }

  protected async open(): Promise<Session> {
    const runner = this.dataSource.createQueryRunner('master');
    const client = (await runner.connect()) as PgClient;
    const link = this.linkOf(client, client.connection?.stream);
    return {
      link,
      run: async (statements, opening) => {
        if (!link.isSetUp) await this.setUp(client, link);
        return this.run(client, statements, opening);
      },
      commit: async () => {
        const { command } = await client.query('COMMIT');
        // What PostgreSQL answers to COMMIT in a transaction that failed before.
        if (command !== 'COMMIT') throw new Error(`The transaction ended with ${command}.`);
      },
      rollback: async () => {
        await client.query('ROLLBACK');
      },
      release: (broken) => release(runner, broken),
    };
  }

  /** Along with the first statements, so that it costs no round trip. What it cannot set, `start` has warned of. */
  private async setUp(client: PgClient, link: Link): Promise<void> {
    link.isSetUp = true;
    // Behind a pooler, a session is not ours alone: what is set in it would meet others.
    if (!this.options.ownPool || !this.keepsSessions) return;
    const sent = client.query(postgresSettings(this.options.statementTimeoutMs)).catch(() => undefined);
    if (client.pipeline !== true) await sent;
  }

  private async run(client: PgClient, statements: readonly Statement[], opening?: Opening): Promise<readonly Result[]> {
    for (const { sql, params } of statements) this.dataSource.logger.logQuery(sql, [...params]);
    const begin = opening ? this.begin(opening) : [];
    // The client of pg-native has none, and sends texts only.
    const sendsBinary = client.connection !== undefined;
    const toSend = (param: SqlValue): unknown =>
      param instanceof ValueList && sendsBinary ? param.toBinary() : sendable(param);
    const queries = [
      ...begin,
      ...statements.map(({ sql, params }) => ({ ...this.query(sql), values: params.map(toSend) })),
    ];
    const answers = client.pipeline === true ? await together(client, queries) : await inTurn(client, queries);
    return answers.slice(begin.length).map(({ rows, rowCount }) => ({ rows, affected: rowCount ?? 0 }));
  }

  private begin({ byIndex }: Opening): readonly string[] {
    const begin = 'BEGIN ISOLATION LEVEL READ COMMITTED';
    if (byIndex && this.keepsPlans) return [`${begin}; ${POSTGRES_KEPT_PLANS}`];
    if (!this.options.ownPool || this.keepsSessions) return [begin];
    return [begin, postgresSettings(this.options.statementTimeoutMs, 'transaction')];
  }

  private query(sql: string): { text: string; name?: string } {
    const known = this.queries.get(sql);
    if (known) return known;
    const text = withNumbers(sql);
    if (this.queries.size >= MAX_PREPARED) return { text };
    // Named by content: other users of the pool, and another of us, give the same name to the same text only.
    const name = this.keepsSessions ? `wm_${createHash('sha1').update(text).digest('base64url')}` : undefined;
    const query = { text, name };
    this.queries.set(sql, query);
    return query;
  }
}

/**
 * PostgreSQL has no U+0000 in texts. What it stores has none, see `requireStorableText`; what is looked for may, and the
 * message of an error. Sent as what encoders put for anything that cannot be written.
 */
function sendable(value: SqlValue): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
  return Array.isArray(value) ? value.map(sendable) : value;
}

async function inTurn(client: PgClient, queries: readonly PgQuery[]): Promise<readonly PgResult[]> {
  const answers: PgResult[] = [];
  for (const query of queries) answers.push(await client.query(query));
  return answers;
}

/** All answers are awaited, or a late error would be unhandled. The first error is the cause of those that follow it. */
async function together(client: PgClient, queries: readonly PgQuery[]): Promise<readonly PgResult[]> {
  // One write to the socket: pg would make one, and send a packet, for every query.
  const stream = client.connection?.stream;
  stream?.cork?.();
  let sent: Promise<PgResult>[];
  try {
    sent = queries.map((query) => client.query(query));
  } finally {
    stream?.uncork?.();
  }
  const answers = await Promise.allSettled(sent);
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason;
    return answer.value;
  });
}

function release(runner: QueryRunner, broken: boolean): void {
  const pooled = runner as QueryRunner & { releasePostgresConnection(error?: Error): Promise<void> };
  void pooled.releasePostgresConnection(broken ? new Error('The connection is broken.') : undefined);
}
