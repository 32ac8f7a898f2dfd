import { WaymarkError } from '@waymark/core';
import type { OutboxMessage } from './records.js';
import type { ScheduleStore } from './schedule-store.js';

/** Writes messages and schedules in a transaction of the application: they are there when it commits, and only then. */
export interface EnlistedOutbox {
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
