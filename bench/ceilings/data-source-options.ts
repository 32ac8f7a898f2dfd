import type { DataSourceOptions } from 'typeorm';

/** TypeORM's own defaults, a pool of 10 among them; SQLite as durable as Waymark's: WAL with `synchronous = FULL`. */
export function dataSourceOptions(url: string): DataSourceOptions {
  if (url.startsWith('postgres')) return { type: 'postgres', url };
  if (url.startsWith('mysql') || url.startsWith('mariadb')) return { type: 'mariadb', url };
  return {
    type: 'better-sqlite3',
    database: url.slice('sqlite:'.length),
    enableWAL: true,
    prepareDatabase: (handle: { pragma(text: string): unknown }) => void handle.pragma('synchronous = FULL'),
  };
}
