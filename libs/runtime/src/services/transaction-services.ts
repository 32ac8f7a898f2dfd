import type { Constructor } from '@waymark/core';
import type { DispatchDefinitionRequest } from './dispatch-services.js';
import type { PublishEventOptions } from './stimulus-services.js';

/** A start that is committed with the caller's rows. */
export interface TransactionalStart extends DispatchDefinitionRequest {
  /** Idempotent start: the same key never starts a second instance; a further request is dropped. */
  readonly requestKey?: string;
}

/** A resume within a transaction of the application. */
export interface TransactionalResume {
  /** Id of the workflow instance. */
  readonly workflowInstanceId?: string;
  /** Correlation id of the instance: its business key. */
  readonly correlationId?: string;
  /** Input, by name. @default none */
  readonly input?: Readonly<Record<string, unknown>>;
}

/**
 * What may be asked for within a transaction of the application. Each call writes a message in that transaction: when it
 * commits, the runtime does what was asked for, exactly once and on any node; when it is rolled back, nothing was asked.
 */
export interface TransactionalWorkflows {
  /** Starts an instance after the commit. @returns its id @throws DefinitionNotFoundError (`WM1020`) */
  start(request: TransactionalStart): Promise<string>;
  /**
   * Resumes, after the commit, every instance that waits at an activity of that type with that stimulus. When none does,
   * the stimulus is kept until one will.
   * @param activity its class, or a stimulus name
   */
  resume(activity: Constructor | string, stimulus: unknown, options?: TransactionalResume): Promise<void>;
  /** Resumes one bookmark after the commit, if it is still there by then. */
  resumeById(bookmarkId: string, options?: Pick<TransactionalResume, 'input'>): Promise<void>;
  /** Publishes an event after the commit. */
  publishEvent(eventName: string, options?: Omit<PublishEventOptions, 'transient'>): Promise<void>;
}

/** What TypeORM's `DataSource` and `EntityManager` are. */
export interface TransactionSource<Transaction> {
  /** Runs the function in a transaction. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/** Starts and resumes that are committed together with rows of the application, or not at all. */
export abstract class IWorkflowTransactions {
  /**
   * Opens a transaction, and has the runtime begin with what was asked for as soon as it is committed.
   *
   * ```ts
   * await transactions.run(dataSource, async (manager: EntityManager, workflows) => {
   *   await manager.save(order);
   *   await workflows.start({ definition: 'ship-order', input: { orderId: order.id } });
   * });
   * ```
   * @throws TransactionsNotSupportedError (`WM7020`), NoOpenTransactionError (`WM7021`), OtherDatabaseError (`WM7022`);
   *   whatever `work` throws
   */
  abstract run<Transaction extends object, T>(
    source: TransactionSource<Transaction>,
    work: (transaction: Transaction, workflows: TransactionalWorkflows) => Promise<T>,
  ): Promise<T>;

  /**
   * For a transaction that the application opens and ends itself. After its commit the runtime finds the messages by itself,
   *   within
   * `pollIntervalMs`; `announce()` then saves that time.
   * @throws TransactionsNotSupportedError (`WM7020`), NoOpenTransactionError (`WM7021`), OtherDatabaseError (`WM7022`)
   */
  abstract within(transaction: object): TransactionalWorkflows;

  /** Has this node look for messages now. */
  abstract announce(): void;
}
