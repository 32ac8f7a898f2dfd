import { createHash } from 'node:crypto';
import type { QueryRunner } from 'typeorm';
import { retrying } from '../database/backoff.js';
import type { DatabaseFamily } from '../dialect/dialect.js';
import { isSqliteBusy } from '../dialect/sqlite-errors.js';
import { PersistenceError } from '@waymark/runtime';

/** Runs one step of a migration while no other node runs one. @param name what is guarded: the record's table */
type MigrationGuard = (runner: QueryRunner, name: string, step: () => Promise<void>) => Promise<void>;

const MYSQL_WAIT_SECONDS = 120;

export const MIGRATION_GUARDS: Readonly<Record<DatabaseFamily, MigrationGuard>> = {
  /** The write lock of the file, taken at once; TypeORM would begin as a reader. */
  async sqlite(runner, _name, step) {
    await retrying(() => runner.query('BEGIN IMMEDIATE'), isSqliteBusy);
    await finish(runner, step);
  },

  /** A lock of the transaction, not of the session: it also works behind a pooler that changes sessions. */
  async postgres(runner, name, step) {
    await runner.query('BEGIN');
    await finish(runner, async () => {
      await runner.query(`SELECT pg_advisory_xact_lock(${lockNumber(name)})`);
      await step();
    });
  },

  /** A lock of the session: statements that change tables end every transaction. */
  async mysql(runner, name, step) {
    const lock = `waymark_${lockNumber(name)}`;
    const [row] = (await runner.query(`SELECT GET_LOCK('${lock}', ${MYSQL_WAIT_SECONDS}) AS held`)) as {
      held: unknown;
    }[];
    if (Number(row?.held) !== 1) {
      throw new PersistenceError(
        `Another node has been migrating the tables for ${MYSQL_WAIT_SECONDS} s. Start again.`,
      );
    }
    try {
      await step();
    } finally {
      await runner.query(`SELECT RELEASE_LOCK('${lock}')`);
    }
  },
};

async function finish(runner: QueryRunner, step: () => Promise<void>): Promise<void> {
  try {
    await step();
    await runner.query('COMMIT');
  } catch (error) {
    await runner.query('ROLLBACK');
    throw error;
  }
}

/** Advisory locks are numbers that the whole database shares. */
function lockNumber(name: string): number {
  return createHash('sha256').update(`waymark ${name}`).digest().readUInt32BE(0);
}
