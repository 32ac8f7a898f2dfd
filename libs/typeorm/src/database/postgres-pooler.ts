import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { DataSource } from 'typeorm';
import { withDeadlines } from '../connection/limited-runner.js';
import { DIALECTS } from '../dialect/dialect.js';
import { retrying } from './backoff.js';
import { translate } from './failure.js';

/**
 * Whether something between us and PostgreSQL hands out its sessions, such as PgBouncer: then the session that answers is not the
 * one whose number the client got when it connected. A pooler may keep it for the connection (`pool_mode = session`) or not: which,
 * cannot be seen for certain, since while there is little to do even one that changes sessions may answer with the same.
 * @param limitMs for each answer
 * @throws StoreUnavailableError (`WM7014`)
 */
export async function isBehindPooler(dataSource: DataSource, limitMs: number): Promise<boolean> {
  const { isDisconnect, isFull } = DIALECTS.postgres;
  try {
    return await retrying(
      () => answersByAnother(dataSource, limitMs),
      (error) => isDisconnect(error) || isFull(error),
    );
  } catch (error) {
    throw translate(error, DIALECTS.postgres);
  }
}

async function answersByAnother(dataSource: DataSource, limitMs: number): Promise<boolean> {
  const runner = dataSource.createQueryRunner('master');
  withDeadlines(runner, () => limitMs);
  try {
    const { processID } = (await runner.connect()) as { readonly processID?: number | null };
    const [row] = (await runner.query('SELECT pg_backend_pid() AS process_id')) as { process_id: unknown }[];
    return processID !== Number(row?.process_id);
  } finally {
    await runner.release();
  }
}

/** @param isTrusted the application says that connections keep their session */
export function sayThatItIsPooled(isTrusted: boolean | undefined): void {
  new WorkflowLogger('WorkflowPersistence').warn(
    isTrusted
      ? 'A pooler is in front of the postgres database, and preparedStatements is true: it must keep the session of a connection ' +
          '(PgBouncer: pool_mode = session), or statements are not found and settings affect other clients.'
      : 'A pooler is in front of the postgres database, and may change sessions between transactions: statements are not prepared, ' +
          'and settings are sent with each transaction. If it keeps sessions (PgBouncer: pool_mode = session), preparedStatements: true saves both.',
  );
}
