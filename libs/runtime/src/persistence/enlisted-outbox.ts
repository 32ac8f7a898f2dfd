import { WaymarkError } from '@waymark/core';
import type { DefinitionStore } from './definition-store.js';
import type { BookmarkStore } from './lookup-stores.js';
import type { OutboxMessage } from './records.js';
import type { ScheduleStore } from './schedule-store.js';

/**
 * Reads in a transaction of the application, over its connection. The pool may have no other one: as many transactions as it has connections
 * would wait for each other.
 */
export interface EnlistedReads {
  /** Finds versions of definitions. */
  readonly definitions: Pick<DefinitionStore, 'find'>;
  /** Finds bookmarks. */
  readonly bookmarks: Pick<BookmarkStore, 'findMany'>;
}

/** Writes messages and schedules in a transaction of the application: they are there when it commits, and only then. */
export interface EnlistedOutbox extends EnlistedReads {
  /** Writes messages; a known id is ignored. */
  add(messages: readonly OutboxMessage[]): Promise<void>;
  /** Reads, writes and deletes schedules. */
  readonly schedules: Pick<ScheduleStore, 'findMany' | 'put'> & { delete(id: string): Promise<boolean> };
}

/** The store cannot take part in a transaction of the application. */
export class TransactionsNotSupportedError extends WaymarkError {
  readonly code = 'WM7020';
  constructor(
    /** Class name of the store. */
    readonly persistence: string,
  ) {
    super(
      `${persistence} cannot take part in a transaction of the application. ` +
        'Use TypeOrmPersistence of @waymark/typeorm on the same database.',
    );
  }
}

/** Thrown when the given value is not an open transaction. */
export class NoOpenTransactionError extends WaymarkError {
  readonly code = 'WM7021';
  constructor(reason: string) {
    super(
      `${reason} Pass the EntityManager that TypeORM gives to the callback of transaction(), before that callback ends.`,
    );
  }
}

/** The transaction is open on another database than the one that keeps the workflows. */
export class OtherDatabaseError extends WaymarkError {
  readonly code = 'WM7022';
  constructor(
    /** Database of the transaction. */
    readonly transactionDatabase: string,
    /** Database of the workflows. */
    readonly workflowDatabase: string,
  ) {
    super(
      `The transaction is open on ${transactionDatabase}, and workflows are kept in ${workflowDatabase}: nothing can be ` +
        'committed in both together. Keep workflows in the database of the application.',
    );
  }
}
