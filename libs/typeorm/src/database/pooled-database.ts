import type { Dialect } from '../dialect/dialect.js';
import { retrying } from './backoff.js';
import { CommitOutcomeUnknownError } from '@waymark/runtime';
import { translate } from './failure.js';
import type { SqlDatabase, Work } from './sql-database.js';
import { type Result, type Row, type Statement, verify } from './statement.js';

/** One connection of a pool, for one transaction or one read. */
export interface Session {
  /** Sends the statements together and waits for all answers. @param opening begin the transaction along with it */
  run(statements: readonly Statement[], opening: boolean): Promise<readonly Result[]>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Back to the pool, or out of it when `broken`. */
  release(broken: boolean): void;
}

/** A database server behind a connection pool: MySQL, MariaDB, PostgreSQL. */
export abstract class PooledDatabase implements SqlDatabase {
  abstract readonly dialect: Dialect;
  readonly isRemote = true;
  protected abstract open(): Promise<Session>;
  private readonly underWay = new Set<Promise<unknown>>();

  async start(): Promise<void> {}

  read(statement: Statement): Promise<readonly Row[]> {
    return this.tracked(() => this.attemptRead(statement));
  }

  transact<T>(work: () => Work<T>, { once = false } = {}): Promise<T> {
    return this.tracked(() => this.attempt(work), once);
  }

  expect(work: Promise<unknown>): void {
    const settled = work.then(
      () => void this.underWay.delete(settled),
      () => void this.underWay.delete(settled),
    );
    this.underWay.add(settled);
  }

  async close(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  private async tracked<T>(body: () => Promise<T>, once = false): Promise<T> {
    const { isTransient, isDisconnect } = this.dialect;
    const running = once ? body() : retrying(body, (error) => isTransient(error) || isDisconnect(error));
    this.underWay.add(running);
    try {
      return await running;
    } catch (error) {
      throw translate(error, this.dialect);
    } finally {
      this.underWay.delete(running);
    }
  }

  private async attemptRead(statement: Statement): Promise<readonly Row[]> {
    const session = await this.open();
    try {
      const [result] = await session.run([statement], false);
      session.release(false);
      return result?.rows ?? [];
    } catch (error) {
      session.release(this.dialect.isDisconnect(error));
      throw error;
    }
  }

  /** Anything that goes wrong before COMMIT is sent leaves nothing behind, so it may be tried again. */
  private async attempt<T>(work: () => Work<T>): Promise<T> {
    const session = await this.open();
    let committing = false;
    try {
      const value = await this.drive(work(), session);
      committing = true;
      await session.commit();
      session.release(false);
      return value;
    } catch (error) {
      await this.abandon(session, error);
      throw committing && this.dialect.isDisconnect(error) ? unknownOutcome(error) : error;
    }
  }

  private async drive<T>(work: Work<T>, session: Session): Promise<T> {
    let opening = true;
    let step = work.next();
    while (!step.done) {
      const statements = step.value;
      const results = await session.run(statements, opening);
      opening = false;
      for (const [index, statement] of statements.entries()) verify(statement, results[index] as Result);
      step = work.next(results);
    }
    return step.value;
  }

  private async abandon(session: Session, error: unknown): Promise<void> {
    if (this.dialect.isDisconnect(error)) return session.release(true);
    try {
      await session.rollback();
      session.release(false);
    } catch {
      // A connection that cannot roll back must not serve anybody else; closing it rolls back.
      session.release(true);
    }
  }
}

function unknownOutcome(cause: unknown): CommitOutcomeUnknownError {
  return new CommitOutcomeUnknownError(
    'The connection was lost while a transaction was being committed, so it is unknown whether it is stored. ' +
      'Load the instance again to find out.',
    { cause },
  );
}
