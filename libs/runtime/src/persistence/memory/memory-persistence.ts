import { InvalidOptionError, WorkflowStatus } from '@waymark/core';
import type { BurstCommit } from '../burst-commit.js';
import { DEFAULT_JOURNAL_VALUE_BYTES, isJournalValueBytes, JOURNAL_VALUE_BYTES } from '../journal-values.js';
import { DEFAULT_MAX_JOURNAL_BYTES, isMaxJournalBytes, MAX_JOURNAL_BYTES } from '../omitted-values.js';
import type { LookAhead } from '../lookup-stores.js';
import { WorkflowPersistence } from '../workflow-persistence.js';
import { MemoryAlterationStore } from './memory-alteration-store.js';
import { MemoryAuditStore } from './memory-audit-store.js';
import { MemoryBookmarkStore, readyTime } from './memory-bookmark-store.js';
import { MemoryBulkPlanStore } from './memory-bulk-plan-store.js';
import { commitToMemory } from './memory-commit.js';
import { MemoryData } from './memory-data.js';
import { MemoryDefinitionStore } from './memory-definition-store.js';
import { MemoryInstanceStore } from './memory-instance-store.js';
import { MemoryJournalStore } from './memory-journal-store.js';
import { MemoryNodeStore } from './memory-node-store.js';
import { MemoryOutboxStore } from './memory-outbox-store.js';
import { MemoryBookmarkPatternStore } from './memory-pattern-store.js';
import { MemoryBookmarkQueueStore } from './memory-queue-store.js';
import { MemoryScheduleStore } from './memory-schedule-store.js';
import { MemoryStatisticsStore } from './memory-statistics-store.js';
import { MemoryTriggerStore } from './memory-trigger-store.js';
import { MemoryUserTaskStore } from './memory-user-task-store.js';
import { timeOf } from './store-time.js';

/** Options of `MemoryPersistence`. All of them have defaults. */
export interface MemoryPersistenceOptions {
  /**
   * How many finished instances are kept, with their journals; those that finished first are removed first, so that a
   * long-lived process does not run out of memory. @default 10000
   */
  readonly maxFinishedInstances?: number | undefined;
  /**
   * Size in bytes above which a value of the journal is kept only once for each instance; from 1,024 to 16,777,216 (16 MB).
   * @default 32768 (32 kB)
   */
  readonly journalValueBytes?: number | undefined;
  /**
   * Bytes of such values that the journal of one instance keeps in all. In place of each further one it has a note of its kind, its size and
   * its beginning (`OmittedJournalValue`); 0: none is kept. @default 67108864 (64 MB)
   */
  readonly maxJournalBytes?: number | undefined;
}

/** Finished instances are dropped this many at once. */
const DROPPED_AT_ONCE = 200;

/**
 * Persistence in memory, for tests and trials. Nothing outlives the process, and old finished instances are removed.
 * @example
 * WorkflowModule.forRoot({ persistence: new MemoryPersistence({ maxFinishedInstances: 100 }) })
 */
export class MemoryPersistence extends WorkflowPersistence {
  private readonly data = new MemoryData();
  private readonly maxFinishedInstances: number;
  private readonly maxInlineBytes: number;
  /** In the order in which they finished. */
  private readonly finishedIds = new Set<string>();
  readonly definitions = new MemoryDefinitionStore(this.data);
  readonly instances = new MemoryInstanceStore(this.data);
  readonly bookmarks = new MemoryBookmarkStore(this.data);
  readonly patterns = new MemoryBookmarkPatternStore(this.data);
  readonly triggers = new MemoryTriggerStore(this.data);
  readonly schedules = new MemoryScheduleStore(this.data, this.triggers);
  readonly journal: MemoryJournalStore;
  readonly outbox = new MemoryOutboxStore(this.data);
  readonly queue = new MemoryBookmarkQueueStore(this.data);
  readonly alterations = new MemoryAlterationStore(this.data);
  readonly bulkPlans = new MemoryBulkPlanStore(this.data);
  readonly userTasks = new MemoryUserTaskStore(this.data);
  readonly audit = new MemoryAuditStore();
  readonly statistics = new MemoryStatisticsStore(this.data);
  readonly nodes = new MemoryNodeStore(this.data);

  constructor({
    maxFinishedInstances = 10_000,
    journalValueBytes = DEFAULT_JOURNAL_VALUE_BYTES,
    maxJournalBytes = DEFAULT_MAX_JOURNAL_BYTES,
  }: MemoryPersistenceOptions = {}) {
    super();
    if (!isJournalValueBytes(journalValueBytes))
      throw new InvalidOptionError(
        'MemoryPersistence',
        'journalValueBytes',
        JOURNAL_VALUE_BYTES,
        String(journalValueBytes),
      );
    if (!isMaxJournalBytes(maxJournalBytes))
      throw new InvalidOptionError('MemoryPersistence', 'maxJournalBytes', MAX_JOURNAL_BYTES, String(maxJournalBytes));
    this.maxInlineBytes = journalValueBytes;
    this.data.maxJournalBytes = maxJournalBytes;
    this.journal = new MemoryJournalStore(this.data, this.maxInlineBytes);
    this.maxFinishedInstances = maxFinishedInstances;
  }

  async commit(burst: BurstCommit): Promise<void> {
    const writing = commitToMemory(this.data, burst, this.maxInlineBytes);
    if (writing) await writing;
    const { id, status } = burst.instance;
    if (status === WorkflowStatus.Finished) {
      this.finishedIds.delete(id);
      this.finishedIds.add(id);
      if (this.finishedIds.size >= this.maxFinishedInstances + DROPPED_AT_ONCE) await this.dropFirstFinished();
    } else this.finishedIds.delete(id);
  }

  private async dropFirstFinished(): Promise<void> {
    const dropped: string[] = [];
    for (const id of this.finishedIds) {
      if (this.finishedIds.size <= this.maxFinishedInstances) break;
      this.finishedIds.delete(id);
      dropped.push(id);
    }
    await this.instances.delete(dropped);
  }

  async findNextDue({ lookAheadMs, now, heard }: LookAhead): Promise<number | undefined> {
    const { bookmarks, triggers, schedules } = this.data;
    const time = timeOf({ now });
    heard?.(time);
    let next = Infinity;
    for (const { dueAt } of triggers.find('due', 'due')) next = Math.min(next, dueAt!.getTime());
    for (const { dueAt } of schedules.find('due', 'due')) next = Math.min(next, dueAt!.getTime());
    for (const row of bookmarks.find('due', 'due')) {
      // The end of a claim counts once it has come, and no sooner: it may be renewed.
      const at = row.dueAt!.getTime();
      if (at > time || readyTime(this.data, row) <= time) next = Math.min(next, at);
    }
    return next <= time + lookAheadMs ? Math.max(0, next - time) : undefined;
  }

  async now(): Promise<undefined> {
    return undefined;
  }

  async initialize(): Promise<void> {}

  async close(): Promise<void> {}
}
