import type { WorkflowPersistence } from '@waymark/runtime';

/** A statement that a store has sent, with `?` for its parameters. */
export interface SeenStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

type Row = Record<string, unknown>;
type Work = Generator<readonly SeenStatement[], unknown, unknown>;

/** The part of a store's own database that is listened to. */
interface Database {
  readonly dialect: { readonly family: 'sqlite' | 'mysql' | 'postgres' };
  read(statement: SeenStatement): Promise<readonly Row[]>;
  transact(work: () => Work, options?: object): Promise<unknown>;
}

const databaseOf = (store: WorkflowPersistence): Database => (store as unknown as { database: Database }).database;

/** What a store asks its database while a task runs. */
export async function statementsOf(store: WorkflowPersistence, task: () => Promise<unknown>): Promise<SeenStatement[]> {
  const database = databaseOf(store);
  const { read, transact } = database;
  const seen: SeenStatement[] = [];
  const listened = function* (work: Work): Work {
    let step = work.next();
    while (!step.done) {
      seen.push(...step.value);
      step = work.next(yield step.value);
    }
    return step.value;
  };
  database.read = (statement) => {
    seen.push(statement);
    return read.call(database, statement);
  };
  database.transact = (work, options) => transact.call(database, () => listened(work()), options);
  try {
    await task();
  } finally {
    Object.assign(database, { read, transact });
  }
  return seen;
}

/**
 * Has PostgreSQL count its rows, which it does by itself some time after they came. Of these tables alone: those of other tests may be
 * dropped meanwhile.
 */
export async function analyze(store: WorkflowPersistence, tablePrefix: string): Promise<void> {
  const database = databaseOf(store);
  if (database.dialect.family !== 'postgres') return;
  const tables = await database.read({
    sql: 'SELECT quote_ident(tablename) AS name FROM pg_tables WHERE starts_with(tablename, ?)',
    params: [tablePrefix],
  });
  await database.read({ sql: `ANALYZE ${tables.map(({ name }) => String(name)).join(', ')}`, params: [] });
}

/** How the database would carry a statement out. */
export interface QueryPlan {
  /** If true, it sorts rows that it has read, all of them before the first is there. */
  readonly sorts: boolean;
  /** As the database tells it. */
  readonly text: string;
}

export async function planOf(store: WorkflowPersistence, { sql, params }: SeenStatement): Promise<QueryPlan> {
  const database = databaseOf(store);
  const explain = { sqlite: 'EXPLAIN QUERY PLAN', mysql: 'EXPLAIN', postgres: 'EXPLAIN' }[database.dialect.family];
  const rows = await database.read({ sql: `${explain} ${sql}`, params });
  const text = rows.map((row) => Object.values(row).join(' ')).join('\n');
  return { sorts: SORTS[database.dialect.family].test(text), text };
}

/** An incremental sort of PostgreSQL sorts rows of the same time only. */
const SORTS = {
  sqlite: /USE TEMP B-TREE FOR ORDER BY/,
  mysql: /Using filesort|Using temporary/,
  postgres: /(?<!Incremental )Sort {2}\(/,
};
