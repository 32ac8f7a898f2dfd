import type { AlterationStore } from './alteration-store.js';
import type { AuditStore } from './audit-store.js';
import type { BulkPlanStore } from './bulk-plan-store.js';
import type { BurstCommit } from './burst-commit.js';
import type { DefinitionStore } from './definition-store.js';
import { type EnlistedOutbox, TransactionsNotSupportedError } from './enlisted-outbox.js';
import type { InstanceStore } from './instance-store.js';
import { LargeStates } from './large-states.js';
import type { BookmarkStore, JournalStore, LookAhead, TriggerStore } from './lookup-stores.js';
import type { BookmarkQueueStore, OutboxStore } from './message-stores.js';
import type { ScheduleStore } from './schedule-store.js';
import type { NodeStore } from './node-store.js';
import type { BookmarkPatternStore } from './pattern-store.js';
import type { StatisticsStore } from './statistics-store.js';
import type { UserTaskStore } from './user-task-store.js';

/**
 * The persistence port: narrow stores, and `commit`, which writes a burst. The memory version is the reference;
 * every other version passes the same contract suite. Left out on purpose: any way to write an instance, a bookmark or
 * the journal other than `commit`, and any way to hold a transaction of ours open from outside.
 */
export abstract class WorkflowPersistence {
  /** Versions of definitions. */
  abstract readonly definitions: DefinitionStore;
  /** Instances and their states. */
  abstract readonly instances: InstanceStore;
  /** What waits. */
  abstract readonly bookmarks: BookmarkStore;
  /** Bookmarks that more than one stimulus matches. */
  abstract readonly patterns: BookmarkPatternStore;
  /** What starts instances. */
  abstract readonly triggers: TriggerStore;
  /** Schedules of the application. */
  abstract readonly schedules: ScheduleStore;
  /** Journals of instances. */
  abstract readonly journal: JournalStore;
  /** Messages of the runtime to itself. */
  abstract readonly outbox: OutboxStore;
  /** Stimuli that came before their bookmark. */
  abstract readonly queue: BookmarkQueueStore;
  /** Plans of alterations. */
  abstract readonly alterations: AlterationStore;
  /** Plans of bulk work. */
  abstract readonly bulkPlans: BulkPlanStore;
  /** Tasks for people. */
  abstract readonly userTasks: UserTaskStore;
  /** The audit trail. */
  abstract readonly audit: AuditStore;
  /** Statistics of instances, messages and the journal, for operators. */
  abstract readonly statistics: StatisticsStore;
  /** Heartbeats of the nodes that share the store. For display only: no work is taken over because of them. */
  abstract readonly nodes: NodeStore;
  /** States that grow towards the limit. A store that has one notes them. */
  readonly largeStates = new LargeStates();

  /** Writes a burst as a whole or not at all; see `BurstCommit` for the checks. Resolves once it is durable. */
  abstract commit(burst: BurstCommit): Promise<void>;

  /**
   * Takes part in a transaction that the application has opened on the same database.
   * @throws TransactionsNotSupportedError (`WM7020`) by default, as of stores that cannot take part; NoOpenTransactionError (`WM7021`),
   * OtherDatabaseError (`WM7022`)
   */
  enlist(_transaction: object): EnlistedOutbox {
    throw new TransactionsNotSupportedError(this.constructor.name);
  }

  /**
   * Milliseconds until a trigger or a schedule of the application is due, or a bookmark is due and not claimed: 0 when one is now. Undefined: nothing within
   * `lookAheadMs`. One small read, as idle nodes ask again and again; the end of a claim counts once it has come.
   */
  abstract findNextDue(options: LookAhead): Promise<number | undefined>;

  /** Time of the store in milliseconds since 1970, so that all nodes agree; undefined when it has no clock of its own. */
  abstract now(): Promise<number | undefined>;

  /**
   * Writes something that leaves no trace, to find out whether writes are taken. Must be cheap: health checks call it about once a second,
   * and an outage of the store a few times a second.
   *
   * A persistence of your own need not have it; by default a message that does not exist is given back.
   * @throws StoreUnavailableError (`WM7014`) or any other error when nothing can be written
   */
  async checkWritable(): Promise<void> {
    await this.outbox.postpone('no-such-message', new Date(0));
  }

  /** Creates or migrates what the store needs; safe when several nodes do it at once. */
  abstract initialize(): Promise<void>;
  /** Closes the store and its connections. Afterwards all calls throw `StoreUnavailableError` (`WM7014`). */
  abstract close(): Promise<void>;
}
