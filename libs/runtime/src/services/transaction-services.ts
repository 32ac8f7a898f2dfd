import type { Constructor } from '@waymark/core';
import type { DispatchDefinitionRequest } from './dispatch-services.js';
import type { EventArguments, PublishEventOptions, StimulusArguments } from './stimulus-services.js';
import type { StimulusType, WorkflowEventType } from './typed-stimuli.js';
import type { StartArguments, TypedWorkflow, WorkflowClass } from './typed-workflows.js';

/** A start that is committed in the transaction of the caller. */
export interface TransactionalStart extends DispatchDefinitionRequest {
  /** Idempotent start: the same key never starts a second instance; a further request is dropped. */
  readonly requestKey?: string;
}

/** Options of a start of a workflow class in the transaction of the caller, besides its inputs. */
export type TransactionalStartOptions = Pick<
  TransactionalStart,
  'correlationId' | 'name' | 'properties' | 'requestKey' | 'workflowInstanceId'
>;

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
 * Requests within a transaction of the application. Each call writes a message in that transaction: when it commits, the
 * runtime serves the request exactly once, on any node; when it is rolled back, nothing happens.
 */
export interface TransactionalWorkflows {
  /** Starts an instance after the commit. @returns its id @throws DefinitionNotFoundError (`WM1020`) */
  start(request: TransactionalStart): Promise<string>;
  /**
   * Does the same with a workflow class, whose inputs the compiler checks.
   * @throws NotAWorkflowError (`WM1039`), WorkflowInputError (`WM1036`), DefinitionNotFoundError (`WM1020`)
   */
  start<W extends TypedWorkflow>(
    workflow: WorkflowClass<W>,
    ...args: StartArguments<W, TransactionalStartOptions>
  ): Promise<string>;
  /**
   * Resumes, after the commit, every instance that waits at an activity of that type with that stimulus. When none does,
   * the stimulus is kept until one will.
   * @param activity class of the activity, or a stimulus name
   */
  resume(activity: Constructor | string, stimulus: unknown, options?: TransactionalResume): Promise<void>;
  /** Does the same with a typed stimulus. */
  resume<S, I>(
    stimulusType: StimulusType<S, I>,
    stimulus: NoInfer<S>,
    ...options: StimulusArguments<TransactionalResume, I>
  ): Promise<void>;
  /** Resumes one bookmark after the commit, if it is still there by then. */
  resumeById(bookmarkId: string, options?: Pick<TransactionalResume, 'input'>): Promise<void>;
  /** Publishes an event after the commit. */
  publishEvent(eventName: string, options?: Omit<PublishEventOptions, 'transient'>): Promise<void>;
  /** Does the same with a typed event. */
  publishEvent<P>(
    event: WorkflowEventType<P>,
    ...options: EventArguments<Omit<PublishEventOptions, 'transient'>, P>
  ): Promise<void>;
}

/** Opens transactions, such as TypeORM's `DataSource` and `EntityManager`. */
export interface TransactionSource<Transaction> {
  /** Runs the function in a transaction. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
}

/** Starts and resumes workflows in transactions of the application: committed together with its rows, or not at all. */
export abstract class IWorkflowTransactions {
  /**
   * Opens a transaction, runs `work` in it, and makes the runtime serve the requests as soon as it is committed.
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
   * Returns the requests for a transaction that the application opens and ends itself. After its commit, the runtime finds the
   * messages within `pollIntervalMs`, or at once after `announce()`.
   * @throws TransactionsNotSupportedError (`WM7020`), NoOpenTransactionError (`WM7021`), OtherDatabaseError (`WM7022`)
   */
  abstract within(transaction: object): TransactionalWorkflows;

  /** Makes this node look for messages now. */
  abstract announce(): void;
}
