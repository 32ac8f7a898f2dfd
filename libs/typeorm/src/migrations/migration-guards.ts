import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { retrying } from '../database/backoff.js';
import { type DatabaseFamily, DIALECTS } from '../dialect/dialect.js';
import { isSqliteBusy } from '../dialect/sqlite-errors.js';
import { StoreUnavailableError } from '@waymark/runtime';
import type { MigrationSession } from './migration-session.js';
import type { MigrationWaits } from './migration-waits.js';

/** Runs one step of a migration while no other node runs one. @param table what is guarded: that of the record, maybe with its schema */
type MigrationGuard = (session: MigrationSession, table: string, step: () => Promise<void>) => Promise<void>;

export const MIGRATION_GUARDS: Readonly<Record<DatabaseFamily, MigrationGuard>> = {
  /** The write lock of the file, taken at once; TypeORM would begin as a reader. */
  async sqlite({ runner }, _table, step) {
    await retrying(() => runner.query('BEGIN IMMEDIATE'), isSqliteBusy);
    await finish(runner, step);
  },

  /** A lock of the transaction, not of the session: it also works behind a pooler that changes sessions. */
  async postgres(session, table, step) {
    const { runner, waits } = session;
    await runner.query('BEGIN');
    await finish(runner, async () => {
      await runner.query(waits.postgresSettings);
      const place = table.includes('.') ? table : `${await valueOf(runner, 'current_schema()')}.${table}`;
      const lock = `SELECT pg_advisory_xact_lock(${lockNumber(place)})`;
      try {
        await session.allowing(waits.clientLimit(waits.guardMs), () => runner.query(lock));
      } catch (error) {
        throw DIALECTS.postgres.isLocked(error) ? heldByAnother(waits, error) : error;
      }
      await excludeOlderBuilds(waits, () => tryOlderPostgres(runner, lockNumber(table), lockNumber(place)));
      await runner.query(waits.postgresTableLocks);
      await step();
    });
  },

  /**
   * A lock of the session: statements that change tables end every transaction. The whole server shares its names, so that without the
   * database in them, applications would wait for each other's migrations. Where the case of names does not matter, nodes of one database may
   * write it differently.
   */
  async mysql(session, table, step) {
    const { runner, waits } = session;
    session.spoil();
    await runner.query(waits.mysqlSettings);
    const lock = `waymark_${lockNumber(`${await valueOf(runner, 'DATABASE()')}.${table}`.toLowerCase())}`;
    const take = `SELECT GET_LOCK('${lock}', ${waits.guardSeconds}) AS held`;
    const limitMs = waits.clientLimit(waits.guardSeconds * 1000);
    const [row] = (await session.allowing(limitMs, () => runner.query(take))) as { held: unknown }[];
    if (Number(row?.held) !== 1) throw heldByAnother(waits);
    const older = `waymark_${lockNumber(table)}`;
    // What is not held is not released either, and is no error.
    const release = () => runner.query(`SELECT RELEASE_LOCK('${older}'), RELEASE_LOCK('${lock}')`);
    try {
      await excludeOlderBuilds(waits, () => tryOlderMysql(runner, older));
      await step();
    } catch (error) {
      // After any other error the session is ended, and its lock with it.
      if (DIALECTS.mysql.isTransient(error)) await release().catch(() => undefined);
      throw error;
    }
    await release();
  },
};

/** Until the guard of older builds is tried again. */
const OLDER_PAUSE_MS = 200;

/**
 * Builds before that of 28 November 2026 take a lock whose name does not contain where the tables are. It is taken as well, always after
 * the other one, so that no two nodes wait for each other.
 * @param attempt whether it is held now, or another application holds it, which migrates tables of its own
 */
async function excludeOlderBuilds(waits: MigrationWaits, attempt: () => Promise<boolean>): Promise<void> {
  const start = performance.now();
  while (!(await attempt())) {
    if (performance.now() - start > waits.guardMs) throw heldByAnother(waits);
    await sleep(OLDER_PAUSE_MS);
  }
}

/** A session that holds a lock with a place in its name too, and not that of these tables, migrates other ones. */
async function tryOlderPostgres(runner: QueryRunner, older: number, own: number): Promise<boolean> {
  if ((await valueOf(runner, `pg_try_advisory_xact_lock(${older})`)) === 'true') return true;
  const elsewhere = `EXISTS (SELECT 1 FROM pg_locks o JOIN pg_locks n USING (pid, database, locktype, classid, objsubid)
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = 0 AND objsubid = 1 AND o.granted AND n.granted AND o.objid = ${older} AND n.objid NOT IN (${older}, ${own}))`;
  return (await valueOf(runner, elsewhere)) === 'true';
}

/**
 * The database of the session that holds it says whose tables are migrated. Sessions of other accounts may not be visible: they are taken for
 * other applications.
 */
async function tryOlderMysql(runner: QueryRunner, older: string): Promise<boolean> {
  if (Number(await valueOf(runner, `GET_LOCK('${older}', 0)`)) === 1) return true;
  const holder = `SELECT ID FROM information_schema.PROCESSLIST WHERE ID = IS_USED_LOCK('${older}') AND DB = DATABASE()`;
  return (await valueOf(runner, `IS_USED_LOCK('${older}') IS NOT NULL AND NOT EXISTS (${holder})`)) === '1';
}

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

async function valueOf(runner: QueryRunner, expression: string): Promise<string> {
  const [row] = (await runner.query(`SELECT ${expression} AS value`)) as { value: unknown }[];
  return String(row?.value);
}

/** Advisory locks are numbers that the whole database shares. @param place the table, with what it lies in */
function lockNumber(place: string): number {
  return createHash('sha256').update(`waymark ${place}`).digest().readUInt32BE(0);
}
