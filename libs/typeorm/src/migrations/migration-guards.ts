import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { retrying } from '../database/backoff.js';
import { type DatabaseFamily, DIALECTS } from '../dialect/dialect.js';
import { isSqliteBusy } from '../dialect/sqlite-errors.js';
import { StoreUnavailableError } from '@waymark/runtime';
import type { MigrationSession } from './migration-session.js';
import type { MigrationWaits } from './migration-waits.js';

/** Runs one step of a migration while no other node runs one. @param name what is guarded: the record's table */
type MigrationGuard = (session: MigrationSession, name: string, step: () => Promise<void>) => Promise<void>;

export const MIGRATION_GUARDS: Readonly<Record<DatabaseFamily, MigrationGuard>> = {
  /** The write lock of the file, taken at once; TypeORM would begin as a reader. */
  async sqlite({ runner }, _name, step) {
    await retrying(() => runner.query('BEGIN IMMEDIATE'), isSqliteBusy);
    await finish(runner, step);
  },

  /** A lock of the transaction, not of the session: it also works behind a pooler that changes sessions. */
  async postgres(session, name, step) {
    const { runner, waits } = session;
    await runner.query('BEGIN');
    await finish(runner, async () => {
      await runner.query(waits.postgresSettings);
      const lock = `SELECT pg_advisory_xact_lock(${lockNumber(name)})`;
      try {
        await session.allowing(waits.clientLimit(waits.guardMs), () => runner.query(lock));
      } catch (error) {
        throw DIALECTS.postgres.isLocked(error) ? heldByAnother(waits, error) : error;
      }
      await runner.query(waits.postgresTableLocks);
      await step();
    });
  },

  /** A lock of the session: statements that change tables end every transaction. */
  async mysql(session, name, step) {
    const { runner, waits } = session;
    session.spoil();
    await runner.query(waits.mysqlSettings);
    const lock = `waymark_${lockNumber(name)}`;
    const take = `SELECT GET_LOCK('${lock}', ${waits.guardSeconds}) AS held`;
    const limitMs = waits.clientLimit(waits.guardSeconds * 1000);
    const [row] = (await session.allowing(limitMs, () => runner.query(take))) as { held: unknown }[];
    if (Number(row?.held) !== 1) throw heldByAnother(waits);
    const release = () => runner.query(`SELECT RELEASE_LOCK('${lock}')`);
    try {
      await step();
    } catch (error) {
      // After any other error the session is ended, and its lock with it.
      if (DIALECTS.mysql.isTransient(error)) await release().catch(() => undefined);
      throw error;
    }
    await release();
  },
};

function heldByAnother({ guardSeconds }: MigrationWaits, cause?: unknown): StoreUnavailableError {
  return new StoreUnavailableError(`Another node has been migrating the tables for ${guardSeconds} s. Start again.`, {
    cause,
  });
}

async function finish(runner: QueryRunner, step: () => Promise<void>): Promise<void> {
  try {
    await step();
    await runner.query('COMMIT');
  } catch (error) {
    // Where that fails too, the connection is gone: it is the first error that says why.
    await runner.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

/** Advisory locks are numbers that the whole database shares. */
function lockNumber(name: string): number {
  return createHash('sha256').update(`waymark ${name}`).digest().readUInt32BE(0);
}
