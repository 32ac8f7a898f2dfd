import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { StoreUnavailableError } from '@waymark/runtime';
import type { DataSource, QueryRunner } from 'typeorm';
import { familyOf } from '../connection/database-family.js';
import { connectionOf, withDeadlines } from '../connection/limited-runner.js';
import { translate } from '../database/failure.js';
import { DIALECTS } from '../dialect/dialect.js';
import { MigrationWaits } from './migration-waits.js';

/**
 * One connection for what a start does to the tables. TypeORM waits for an answer without an end, so every statement has a
 * deadline here: a connection that stays silent is dropped, and the start fails.
 */
export class MigrationSession {
  private limitMs: number;
  private isSpoilt = false;

  private constructor(
    readonly runner: QueryRunner,
    readonly waits: MigrationWaits,
  ) {
    this.limitMs = waits.lookUpMs;
    withDeadlines(
      runner,
      () => this.limitMs,
      () => (this.isSpoilt = true),
    );
  }

  /** @throws StoreUnavailableError when the database is out or stays silent, or another node has been migrating for long */
  static async use<T>(
    dataSource: DataSource,
    waits: MigrationWaits,
    work: (session: MigrationSession) => Promise<T>,
  ): Promise<T> {
    const session = new MigrationSession(dataSource.createQueryRunner('master'), waits);
    try {
      return await work(session);
    } catch (error) {
      session.isSpoilt = true;
      throw startAgain(error, dataSource);
    } finally {
      await session.release();
    }
  }

  /** Statements of the work may take so long each. */
  async allowing<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
    const before = this.limitMs;
    this.limitMs = limitMs;
    try {
      return await work();
    } finally {
      this.limitMs = before;
    }
  }

  /** Its settings are not those of others: it does not go back to the pool. */
  spoil(): void {
    this.isSpoilt = true;
  }

  private async release(): Promise<void> {
    const { runner } = this;
    const connection = connectionOf(runner);
    if (!this.isSpoilt || familyOf(runner.dataSource) === 'sqlite') return runner.release();
    if (familyOf(runner.dataSource) === 'postgres') {
      const pooled = runner as QueryRunner & { releasePostgresConnection(error?: Error): Promise<void> };
      return pooled.releasePostgresConnection(new Error('The connection was used for a migration.'));
    }
    // mysql2 takes a destroyed connection out of its pool; it would wait for the server to hang up.
    connection?.destroy?.();
    connection?.stream?.destroy();
  }
}

/** An error that is not a fault of the store passes as it is. */
function startAgain(error: unknown, dataSource: DataSource): unknown {
  if (isWaymarkError(error)) return error;
  const dialect = DIALECTS[familyOf(dataSource)];
  if (!(translate(error, dialect) instanceof StoreUnavailableError)) return error;
  return new StoreUnavailableError(
    `Failed to migrate the tables: ${toErrorLike(error).message.replace(/\.$/, '')}. Start again to continue where it stopped.`,
    { cause: error },
  );
}
