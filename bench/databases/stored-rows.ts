import Sqlite from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import type { BenchDatabase } from './databases.js';

/** By the name of the table without its prefix. `bytes`: of the values, without indexes and what the server adds. */
export type StoredRows = Readonly<Record<string, { readonly rows: number; readonly bytes: number }>>;

interface Connection {
  tables(): Promise<string[]>;
  columns(table: string): Promise<string[]>;
  /** Quoted for this database, and its length in bytes. */
  name(text: string): string;
  length(column: string): string;
  one(sql: string): Promise<{ stored: unknown; bytes: unknown }>;
  close(): unknown;
}

/** Counted by reading every row: what a server says of itself is an estimate. */
export async function storedRows(database: BenchDatabase): Promise<StoredRows> {
  const connection = await connect(database);
  try {
    const found: Record<string, { rows: number; bytes: number }> = {};
    for (const table of await connection.tables()) {
      const lengths = (await connection.columns(table)).map((column) => `coalesce(${connection.length(column)}, 0)`);
      const sql = `select count(*) as stored, sum(${lengths.join(' + ')}) as bytes from ${connection.name(table)}`;
      const { stored, bytes } = await connection.one(sql);
      found[table.slice(database.prefix.length)] = { rows: Number(stored), bytes: Number(bytes ?? 0) };
    }
    return found;
  } finally {
    await connection.close();
  }
}

function connect({ name, url, prefix }: BenchDatabase): Promise<Connection> | Connection {
  const ours = (tables: { name: string }[]): string[] =>
    tables.map((table) => table.name).filter((table) => table.startsWith(prefix));
  if (name === 'sqlite') return sqlite(url, ours);
  return name === 'mariadb' ? mariadb(url, ours) : postgres(url, ours);
}

type Ours = (tables: { name: string }[]) => string[];

function sqlite(url: string, ours: Ours): Connection {
  const handle = new Sqlite(url.slice('sqlite:'.length), { readonly: true });
  const all = (sql: string) => handle.prepare<[], { name: string }>(sql).all();
  const name = (text: string): string => `"${text}"`;
  return {
    tables: async () => ours(all(`select name from sqlite_master where type = 'table'`)),
    columns: async (table) => all(`select name from pragma_table_info('${table}')`).map((column) => column.name),
    name,
    length: (column) => `length(cast(${name(column)} as blob))`,
    one: async (sql) => handle.prepare(sql).get() as { stored: unknown; bytes: unknown },
    close: () => handle.close(),
  };
}

async function mariadb(url: string, ours: Ours): Promise<Connection> {
  const connection = await mysql.createConnection(url);
  const all = async <T>(sql: string): Promise<T[]> => (await connection.query(sql))[0] as T[];
  const schema = 'from information_schema';
  return {
    tables: async () => ours(await all(`select table_name as name ${schema}.tables where table_schema = database()`)),
    columns: async (table) =>
      (
        await all<{ name: string }>(
          `select column_name as name ${schema}.columns where table_schema = database() and table_name = '${table}'`,
        )
      ).map((column) => column.name),
    name: (text) => `\`${text}\``,
    length: (column) => `length(\`${column}\`)`,
    one: async (sql) => (await all<{ stored: unknown; bytes: unknown }>(sql))[0]!,
    close: () => connection.end(),
  };
}

async function postgres(url: string, ours: Ours): Promise<Connection> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const all = async <T extends object>(sql: string): Promise<T[]> => (await client.query<T>(sql)).rows;
  return {
    tables: async () => ours(await all(`select tablename as name from pg_tables where schemaname = current_schema()`)),
    columns: async (table) =>
      (
        await all<{ name: string }>(
          `select column_name as name from information_schema.columns where table_schema = current_schema() and table_name = '${table}'`,
        )
      ).map((column) => column.name),
    name: (text) => client.escapeIdentifier(text),
    length: (column) => `octet_length(${client.escapeIdentifier(column)}::text)`,
    one: async (sql) => (await all<{ stored: unknown; bytes: unknown }>(sql))[0]!,
    close: () => client.end(),
  };
}
