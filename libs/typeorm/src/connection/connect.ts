import { StoreUnavailableError } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { DataSource, Driver } from 'typeorm';
import { PATIENCE_MS, retrying } from '../database/backoff.js';
import { DIALECTS } from '../dialect/dialect.js';
import { connectFailure } from './connect-failure.js';
import { familyOf } from './database-family.js';
import { withDeadlines } from './limited-runner.js';

/**
 * Connects a data source, unless it is. A server that cannot be reached, is starting up or has no connection free is asked again for
 * as long as any other call would be: nodes and databases often start at the same time.
 * @param statementTimeoutMs how long what TypeORM asks of the server may take, each time, in milliseconds
 * @throws StoreUnavailableError (`WM7014`) when there is no connection
 */
export async function connect(dataSource: DataSource, statementTimeoutMs: number): Promise<void> {
  if (dataSource.isInitialized) return;
  const { isTransient, isDisconnect, isFull } = DIALECTS[familyOf(dataSource)];
  let isFirst = true;
  const mayPass = (error: unknown): boolean => {
    // SQLite: two processes that open a new file at once both want to switch it to WAL.
    if (isTransient(error)) return true;
    if (!isDisconnect(error) && !isFull(error)) return false;
    if (isFirst) sayThatItWaits(dataSource, error);
    isFirst = false;
    return true;
  };
  try {
    await retrying(() => initialize(dataSource, statementTimeoutMs), mayPass);
  } catch (error) {
    throw new StoreUnavailableError(connectFailure(dataSource.options, error), { cause: error });
  }
}

/**
 * A server, or a pooler in front of it, may take a connection and then answer nothing. TypeORM asks for version and schema when it
 * connects, and would wait for them without an end.
 */
async function initialize(dataSource: DataSource, limitMs: number): Promise<void> {
  // Of SQLite there is one query runner, for everything.
  if (familyOf(dataSource) === 'sqlite') return void (await dataSource.initialize());
  const driver: { createQueryRunner?: Driver['createQueryRunner'] } = dataSource.driver;
  const create = dataSource.driver.createQueryRunner.bind(driver);
  driver.createQueryRunner = (mode) => {
    const runner = create(mode);
    withDeadlines(runner, () => limitMs);
    return runner;
  };
  try {
    await dataSource.initialize();
  } finally {
    delete driver.createQueryRunner;
  }
}

function sayThatItWaits(dataSource: DataSource, error: unknown): void {
  new WorkflowLogger('WorkflowPersistence').warn(
    `${connectFailure(dataSource.options, error)} Retrying for ${PATIENCE_MS / 1000} seconds.`,
  );
}
