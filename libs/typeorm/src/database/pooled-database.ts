import { clearTimeout, setTimeout } from 'node:timers';
import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { CommitOutcomeUnknownError, StoreUnavailableError } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import type { Dialect } from '../dialect/dialect.js';
import { retrying } from './backoff.js';
import { type Deadline, Deadlines } from './deadlines.js';
import { translate } from './failure.js';
import { type Link, Links, type LinkSocket, newLink, SilentConnection } from './links.js';
import { type Call, Patience } from './patience.js';
import { type Errand, Places } from './places.js';
import type { Protections } from './server-settings.js';
import type { SqlDatabase, TransactOptions, Work } from './sql-database.js';
import { type Result, type Row, type Statement, verify } from './statement.js';

/** One connection of a pool, for one transaction or one read. */
export interface Session {
  readonly link: Link;
  /** Sends the statements together and waits for all answers. @param opening begin the transaction along with it */
  run(statements: readonly Statement[], opening?: Opening): Promise<readonly Result[]>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Back to the pool, or out of it when `broken`. */
  release(broken: boolean): void;
}

/** What a transaction begins with. */
export type Opening = Required<Pick<TransactOptions, 'byIndex'>>;

export interface PoolOptions {
  /** The pool is ours: its sessions may be set up as we like, and its connections dropped. */
  readonly ownPool: boolean;
  /** How many connections it has at most. */
  readonly poolSize: number;
  /** How long the answer to what is sent together may take. */
  readonly statementTimeoutMs: number;
  readonly connectTimeoutMs: number;
}

/**
 * A database server behind a connection pool: MySQL, MariaDB, PostgreSQL. Nothing here waits without an end: for a place,
 * for a connection, for an answer, or for everything to be over in `close`.
 */
export abstract class PooledDatabase implements SqlDatabase {
  abstract readonly dialect: Dialect;
  readonly isRemote = true;
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly deadlines: Deadlines;
  private readonly places: Places;
  private readonly links = new Links();
  private readonly patience = new Patience();
  private isClosed = false;

  constructor(private readonly pool: PoolOptions) {
    this.deadlines = new Deadlines(pool.statementTimeoutMs);
    this.places = new Places(pool.poolSize, this.deadlines);
  }

  get isOut(): boolean {
    return this.patience.isOver;
  }

  protected abstract open(): Promise<Session>;

  async start(): Promise<void> {
    this.isClosed = false;
  }

  read(statement: Statement): Promise<readonly Row[]> {
    return this.tracked('read', (session) => this.readBy(session, statement));
  }

  transact<T>(work: () => Work<T>, options: TransactOptions = {}): Promise<T> {
    const { once = false, waitsForOthers = !once, byIndex = false } = options;
    const body: Body<T> = (session, deadline) => this.transactBy(session, deadline, work(), { byIndex });
    return this.tracked(waitsForOthers ? 'write' : 'shared', body, once);
  }

  expect(work: Promise<unknown>): void {
    const settled = work.then(
      () => void this.underWay.delete(settled),
      () => void this.underWay.delete(settled),
    );
    this.underWay.add(settled);
  }

  async close(end: () => Promise<void> = async () => {}): Promise<void> {
    const { statementTimeoutMs } = this.pool;
    const isIdle = await inTime(this.idle(), statementTimeoutMs);
    // What asks later gets a typed error in place of the driver's about a pool that has ended.
    this.isClosed = true;
    if (!isIdle) {
      this.places.refuse(this.unavailable('is being closed'));
      this.links.dropBusy();
      await inTime(this.idle(), this.pool.connectTimeoutMs);
    }
    await inTime(end(), this.pool.connectTimeoutMs);
    this.links.forget(CLOSE_GRACE_MS);
  }

  /** Says what the sessions lack; see server-settings.ts for what that may cost. */
  protected async warnOfGaps({ gaps, advice }: Protections): Promise<void> {
    const missing = await this.read({ sql: gaps, params: [] });
    if (missing.length === 0) return;
    new WorkflowLogger('WorkflowPersistence').warn(
      `The connections to the ${this.dialect.family} database have no limit, or a long limit, for ${missing.map(({ name }) => String(name)).join(', ')}: ` +
        `after a host loses power in a transaction, other hosts may wait long for its locks. Set ${advice}. ` +
        'TypeOrmPersistence.fromUrl() sets them on connections of its own.',
    );
  }

  /** What is known of a connection of the driver. */
  protected linkOf(connection: object, socket: LinkSocket | undefined): Link {
    const { now } = this.deadlines;
    return this.pool.ownPool ? this.links.of(connection, socket, now) : newLink(socket, now);
  }

  private async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
  }

  private async tracked<T>(errand: Errand, body: Body<T>, once = false): Promise<T> {
    const { isTransient, isLocked, isReadOnly } = this.dialect;
    const call = this.patience.begin();
    let wanted = errand;
    let refusals = 0;
    let isLost = false;
    const mayPass = (error: unknown): boolean => {
      if (isLocked(error) && wanted === 'write') wanted = 'locked';
      isLost = this.isLost(error);
      if (isReadOnly(error)) return refusals++ < READ_ONLY_TRIES;
      return isTransient(error) || isLost;
    };
    // A lock is in the way of some calls, and each waits for it by itself.
    const since = (): number => (isLost ? this.patience.sinceOf(call) : call.start);
    const attempt = (): Promise<T> => this.attempt(wanted, call, body);
    const running = once ? attempt() : retrying(attempt, mayPass, { since });
    this.underWay.add(running);
    try {
      return await running;
    } catch (error) {
      throw translate(error, this.dialect);
    } finally {
      this.underWay.delete(running);
    }
  }

  private async attempt<T>(errand: Errand, call: Call, body: Body<T>): Promise<T> {
    if (this.isClosed) throw this.unavailable('was closed');
    const patience = (): number => this.patience.leftOf(call);
    const entering = this.places.enter(errand, patience, () => this.unavailable('had no connection free in time'));
    if (entering) await entering;
    let deadline: Deadline | undefined;
    let session: Session | undefined;
    try {
      session = await this.connected();
      const { link } = session;
      // What is left of the patience: a second silent connection must not take as long as the first one.
      const limitMs = Math.min(this.pool.statementTimeoutMs, this.patience.limitOf(call));
      deadline = this.deadlines.start(limitMs, () => this.drop(link, deadline as Deadline));
      this.links.begin(link);
      const value = await body(session, deadline);
      this.patience.answered();
      return value;
    } catch (error) {
      const reason = error instanceof CommitOutcomeUnknownError ? error.cause : error;
      if (this.isLost(reason)) this.lost(call, reason as Error);
      else if (session) this.patience.answered();
      if (session) throw error;
      if (this.dialect.isFull(error)) this.places.shrink(this.links.count);
      throw this.asOutage(error);
    } finally {
      if (deadline) this.deadlines.end(deadline);
      if (session) this.links.end(session.link, this.deadlines.now);
      this.patience.ended(call);
      this.places.leave(errand);
    }
  }

  /**
   * Those that wait for a place would wait for what this one has tried, one after the other. Not if others have had an answer meanwhile: a
   * call that has taken long, and then loses its connection, says nothing about the server.
   */
  private lost(call: Call, error: Error): void {
    this.patience.failed(call);
    if (this.patience.isOver) this.places.refuse(error);
  }

  /** The connection could not be opened, or was lost. */
  private isLost(error: unknown): boolean {
    return this.dialect.isDisconnect(error) || this.dialect.isFull(error);
  }

  /** A pool of our own has its own limit for connecting; that of an application may wait as long as it likes. */
  private async connected(): Promise<Session> {
    const opening = this.open();
    if (this.pool.ownPool) return opening;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const deadline = this.deadlines.start(this.pool.connectTimeoutMs + this.pool.statementTimeoutMs, () => {
        isLate = true;
        reject(this.unavailable('had no connection free in time'));
      });
      opening
        .then((session) => (isLate ? session.release(false) : resolve(session)), reject)
        .finally(() => this.deadlines.end(deadline));
    });
  }

  /** Nothing came back in time: everything that waits for this connection fails. */
  private drop(link: Link, { since }: Deadline): void {
    link.socket?.destroy(new SilentConnection());
    this.links.dropQuiet(since);
  }

  private async readBy(session: Session, statement: Statement): Promise<readonly Row[]> {
    try {
      const [result] = await session.run([statement]);
      session.release(false);
      return result?.rows ?? [];
    } catch (error) {
      session.release(this.dialect.isDisconnect(error));
      throw error;
    }
  }

  /** Anything that goes wrong before COMMIT is sent leaves nothing behind, so it may be tried again. */
  private async transactBy<T>(session: Session, deadline: Deadline, work: Work<T>, opening: Opening): Promise<T> {
    let committing = false;
    try {
      const value = await this.drive(work, session, deadline, opening);
      committing = true;
      this.deadlines.touch(deadline);
      await session.commit();
      session.release(false);
      return value;
    } catch (error) {
      this.deadlines.touch(deadline);
      await this.abandon(session, error);
      const isUnknown = committing && this.dialect.isDisconnect(error) && !this.dialect.isRolledBack(error);
      throw isUnknown ? unknownOutcome(error) : error;
    }
  }

  private async drive<T>(work: Work<T>, session: Session, deadline: Deadline, first: Opening): Promise<T> {
    let opening: Opening | undefined = first;
    let step = work.next();
    while (!step.done) {
      const statements = step.value;
      this.deadlines.touch(deadline);
      const results = await session.run(statements, opening);
      opening = undefined;
      for (const [index, statement] of statements.entries()) verify(statement, results[index] as Result);
      step = work.next(results);
    }
    return step.value;
  }

  private async abandon(session: Session, error: unknown): Promise<void> {
    // After a failover, connections may still lead to the server that was the primary: this one, and those that rest in the pool.
    if (this.dialect.isReadOnly(error)) this.links.dropQuiet(this.deadlines.now);
    if (this.dialect.isDisconnect(error) || this.dialect.isReadOnly(error)) return session.release(true);
    try {
      await session.rollback();
      session.release(false);
    } catch {
      // A connection that cannot roll back must not be used again; closing it rolls back.
      session.release(true);
    }
  }

  /**
   * What keeps us from a connection says nothing about what it was wanted for, whatever it is: a certificate that has expired, an
   * address that is not let in, no more file descriptors.
   */
  private asOutage(error: unknown): unknown {
    if (isWaymarkError(error) || this.dialect.isOutage(error)) return error;
    return new StoreUnavailableError(
      `The ${this.dialect.family} database did not provide a connection: ${toErrorLike(error).message}`,
      {
        cause: error,
      },
    );
  }

  private unavailable(why: string): StoreUnavailableError {
    return new StoreUnavailableError(`The ${this.dialect.family} database ${why}.`);
  }
}

type Body<T> = (session: Session, deadline: Deadline) => Promise<T>;

/** Of what met a read-only server: new connections may lead to the new primary. When that is read-only as well, it is so for longer. */
const READ_ONLY_TRIES = 3;
/** For the answer to a goodbye. */
const CLOSE_GRACE_MS = 1000;

/** Whether it is over within that time. It continues all the same. */
async function inTime(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function unknownOutcome(cause: unknown): CommitOutcomeUnknownError {
  return new CommitOutcomeUnknownError(
    'The connection was lost while a transaction was being committed, so it is unknown whether it was stored. ' +
      'Load the instance again to find out.',
    { cause },
  );
}
