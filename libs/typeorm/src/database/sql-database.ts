import type { Dialect } from '../dialect/dialect.js';
import type { Result, Row, Statement } from './statement.js';

/**
 * What happens in one transaction: a generator that yields statements and gets their results. All of one `yield` go to
 * the server together. Being a generator, the same code runs without a pause on SQLite, where nothing may come between
 * two statements, and with a pause for every answer elsewhere. It may run again from the start after a deadlock, so it
 * must have no effect but its statements.
 */
export type Work<T> = Generator<readonly Statement[], T, readonly Result[]>;

export interface TransactOptions {
  /** If true, several share it, and its caller knows better than to try it again as it is. @default false */
  readonly once?: boolean;
  /** If true, it may wait for locks of others all the same, so it keeps out of the places of those that do not. @default false */
  readonly waitsForOthers?: boolean;
  /**
   * If true, each statement finds its rows by one index that it names by its conditions, for whatever values and however many rows the
   * tables have: a server may plan it once, for as long as the connection lasts. @default false
   */
  readonly byIndex?: boolean;
}

/** A connected database: reads, and transactions. One class per way to talk to one. */
export interface SqlDatabase {
  readonly dialect: Dialect;
  /** Whether statements go to a server, so that what several callers want is better sent together. */
  readonly isRemote: boolean;
  /** It has answered nothing for as long as calls wait for it: what was tried just now need not be tried once more. */
  readonly isOut: boolean;
  /** Once, when the data source is connected. */
  start(): Promise<void>;
  /** Outside of any transaction; sees what is committed. */
  read(statement: Statement): Promise<readonly Row[]>;
  /**
   * Resolves once it is committed and durable. Whatever is thrown, nothing was written, unless it is
   * `CommitOutcomeUnknownError`. Deadlocks and lost connections are tried again, unless the caller has a better answer.
   * @throws RefusedStatement when a statement's expectation is not met or a key exists already
   */
  transact<T>(work: () => Work<T>, options?: TransactOptions): Promise<T>;
  /** Makes `close` wait for something that will read or transact in a moment. */
  expect(work: Promise<unknown>): void;
  /**
   * Waits for what is under way, then for `end`, which ends the connections. A server that does not answer makes neither
   * wait without an end: what is under way fails then, and the connections are dropped.
   */
  close(end?: () => Promise<void>): Promise<void>;
}

/** One transaction of statements that need no results. */
export function* inOneGo(statements: readonly Statement[]): Work<readonly Result[]> {
  return yield statements;
}
