import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';

export type ServerDatabase = 'mysql' | 'postgres';
export type Row = Readonly<Record<string, unknown>>;
export type Query = (sql: string) => Promise<Row[]>;

/** Names this run of tests. Set by Jest's global set-up. */
export const RUN_VARIABLE = 'WAYMARK_TEST_RUN';

export const newRun = (): string => randomBytes(2).toString('hex');

/** Begins the names of all tables that files of this run use one after the other, see server-tables.ts. */
export const runPrefix = (): string => `u${process.env[RUN_VARIABLE] ?? '0000'}`;

/** A connection for that long. */
export async function withConnection<T>(
  name: ServerDatabase,
  url: string,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  if (name === 'postgres') {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(async (sql) => (await client.query<Row>(sql)).rows);
    } finally {
      await client.end();
    }
  }
  const connection = await mysql.createConnection({ uri: url });
  try {
    return await work(async (sql) => (await connection.query(sql))[0] as Row[]);
  } finally {
    await connection.end();
  }
}

/** Of the tables that begin so. */
export async function namesOf(query: Query, prefix: string): Promise<string[]> {
  // An underscore stands for any character in LIKE.
  const like = prefix.replaceAll('_', '!_');
  const sql = `SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE '${like}%' ESCAPE '!'`;
  return (await query(sql)).map(({ name }) => String(name));
}

/** Drops what the files of this run have used one after the other. */
export const dropTablesOfRun = (name: ServerDatabase, url: string): Promise<void> => dropTables(name, url, runPrefix());

/** Drops all tables that begin so, in one statement: a server answers it in less than one for each of thirty. */
export async function dropTables(name: ServerDatabase, url: string, prefix: string): Promise<void> {
  await withConnection(name, url, async (query) => {
    const names = await namesOf(query, prefix);
    if (names.length > 0) await query(`DROP TABLE ${names.join(', ')}`);
  });
}
