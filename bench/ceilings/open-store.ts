import type { HandWrittenStore } from './hand-written-store.js';

/** Loads the one driver that is needed. */
export async function openHandWrittenStore(url: string, prefix: string): Promise<HandWrittenStore> {
  if (url.startsWith('postgres')) return (await import('./postgres-store.js')).openPostgres(url, prefix);
  if (url.startsWith('mysql') || url.startsWith('mariadb'))
    return (await import('./mysql-store.js')).openMysql(url, prefix);
  return (await import('./sqlite-store.js')).openSqlite(url.slice('sqlite:'.length), prefix);
}
