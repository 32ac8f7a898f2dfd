import { clearTimeout, setTimeout } from 'node:timers';
import type { QueryRunner } from 'typeorm';
import { type LinkSocket, SilentConnection } from '../database/links.js';

/** The parts of the drivers' connections that are used; SQLite's has none of them. */
interface DriverConnection {
  /** mysql2. */
  readonly stream?: LinkSocket;
  destroy?(): void;
  /** pg. */
  readonly connection?: { readonly stream?: LinkSocket };
}

/**
 * Gives each statement of a query runner a deadline, where TypeORM waits for an answer without an end. What TypeORM and
 * migrations ask by the runner goes through it too. A connection that stays silent is dropped.
 * @param limitMs asked for each statement, in milliseconds
 */
export function withDeadlines(runner: QueryRunner, limitMs: () => number, onSilence: () => void = () => {}): void {
  const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
  const inTime = async (...args: unknown[]): Promise<unknown> => {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        onSilence();
        const silent = new SilentConnection();
        socketOf(runner)?.destroy(silent);
        reject(silent);
      }, limitMs());
    });
    try {
      return await Promise.race([query(...args), silence]);
    } finally {
      clearTimeout(timer);
    }
  };
  runner.query = inTime as QueryRunner['query'];
}

/** The connection that the runner has taken from its pool, if it has one. */
export function connectionOf(runner: QueryRunner): DriverConnection | undefined {
  return (runner as QueryRunner & { databaseConnection?: DriverConnection }).databaseConnection;
}

function socketOf(runner: QueryRunner): LinkSocket | undefined {
  const connection = connectionOf(runner);
  return connection?.stream ?? connection?.connection?.stream;
}
