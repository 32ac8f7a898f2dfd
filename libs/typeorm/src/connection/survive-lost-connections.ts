import type { DataSource } from 'typeorm';

/** The parts of pg's pool and client that are used. */
interface PgPool {
  on(event: 'connect', listener: (client: PgClient) => void): unknown;
}

interface PgClient {
  on(event: 'error', listener: (error: unknown) => void): unknown;
}

/**
 * PostgreSQL: a server that shuts down, or an administrator, may end a session right behind its log-in, in the same packet. pg tells the
 * client so before TypeORM listens to it, and an error to which nothing listens ends the process. The connection is lost in any case:
 * what is asked by it fails as on any lost connection, and is tried on another one.
 */
export function surviveLostConnections({ driver, options }: DataSource): void {
  if (options.type !== 'postgres') return;
  const { master, slaves = [] } = driver as unknown as {
    readonly master?: PgPool;
    readonly slaves?: readonly PgPool[];
  };
  for (const pool of [master, ...slaves])
    pool?.on('connect', (client) => {
      client.on('error', () => undefined);
    });
}
