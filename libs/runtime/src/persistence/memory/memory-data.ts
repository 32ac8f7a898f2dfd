import type { JournalChunk } from '@waymark/core';
import type { AlterationJob, AlterationPlan } from '../alteration-store.js';
import type { BulkBatch, OpenSelection, PlanPage } from '../bulk-plan-store.js';
import type { LoadedDefinition } from '../definition-store.js';
import type {
  BookmarkPattern,
  BookmarkQueueDeadLetter,
  BookmarkQueueItem,
  StoredBookmark,
  StoredTrigger,
} from '../records.js';
import type { PlacedReference } from '../journal-values.js';
import type { StoredSchedule } from '../schedule-store.js';
import type { UserTaskRecord, UserTaskEvent } from '../user-task.js';
import { MemoryInstanceTable } from './memory-instance-table.js';
import { MemoryOutboxTable } from './memory-outbox-table.js';
import { MemoryTable } from './memory-table.js';
import { DEFAULT_MAX_JOURNAL_BYTES, type JournalBudget } from '../omitted-values.js';

/** A latest version that uses another definition as an activity. */
export interface DefinitionReferenceRow {
  readonly id: string;
  readonly versionId: string;
  readonly usedDefinitionId: string;
}

export interface ActivationKeyRow {
  /** The key itself. */
  readonly id: string;
  /** The running instance that holds it. */
  readonly instanceId: string;
}

export interface BookmarkClaim {
  /** Undefined: given back, not to be claimed before `until`. */
  readonly owner: string | undefined;
  readonly until: number;
}

/** A chunk, and where values are that stand beside it. */
export interface StoredChunk {
  /** Counts the chunks of all instances. */
  readonly number: number;
  readonly chunk: JournalChunk;
  readonly references: readonly PlacedReference[];
}

export interface BulkPlanRow extends OpenSelection {
  /** When nothing was left but what it deletes. */
  readonly deletesFrom?: Date;
  /** Those of its steps. They count as gone when it has ended. */
  readonly pages?: readonly PlanPage[];
}

export interface BulkBatchRow {
  readonly batch: BulkBatch;
  readonly owner: string;
  readonly until: number;
}

export interface RequestKeyEntry {
  /** What it started. */
  readonly instanceId: string;
  readonly usedAt: number;
}

/** Who waits for this, of this correlation. */
export function waitingKey(hash: string, correlationId: string): string {
  return `${hash} ${correlationId}`;
}

/** Whether the outbox has the message whose id is that text and a row's id; without the text it has none. */
export function hasMessage({ outbox }: MemoryData, prefix: string | undefined, id: string): boolean {
  return prefix !== undefined && outbox.has(prefix + id);
}

/** Large values of the journal of one instance. */
export interface MemoryJournalValues {
  /** By hash. */
  readonly texts: Map<string, string>;
  readonly budget: JournalBudget;
}

/**
 * Everything a `MemoryPersistence` holds. Every row is a private copy (see `isolate`): nothing a caller gave gets in, and
 * nothing in here gets out.
 */
export class MemoryData {
  readonly definitions = new MemoryTable<LoadedDefinition, 'definitionId'>({
    definitionId: (row) => row.definitionId,
  });
  readonly definitionReferences = new MemoryTable<DefinitionReferenceRow, 'version' | 'used'>({
    version: (row) => row.versionId,
    used: (row) => row.usedDefinitionId,
  });
  readonly instances = new MemoryInstanceTable();
  /** By instance, of bursts that are stored half-way: the node. */
  readonly executedBy = new Map<string, string>();
  readonly bookmarks = new MemoryTable<StoredBookmark, 'hash' | 'waiting' | 'instance' | 'due'>({
    hash: (row) => row.hash,
    waiting: (row) => (row.correlationId === undefined ? undefined : waitingKey(row.hash, row.correlationId)),
    instance: (row) => row.workflowInstanceId,
    due: (row) => (row.dueAt ? 'due' : undefined),
  });
  /** By bookmark id; those of bookmarks that are gone are dropped by the next claim. */
  readonly bookmarkClaims = new Map<string, BookmarkClaim>();
  readonly triggers = new MemoryTable<StoredTrigger, 'hash' | 'definition' | 'exclusiveKey' | 'due'>({
    hash: (row) => row.hash,
    definition: (row) => row.workflowDefinitionId,
    exclusiveKey: (row) => row.exclusiveKey,
    due: (row) => (row.dueAt ? 'due' : undefined),
  });
  readonly schedules = new MemoryTable<StoredSchedule, 'due'>({ due: (row) => (row.dueAt ? 'due' : undefined) });
  readonly outbox = new MemoryOutboxTable();
  readonly queue = new MemoryTable<BookmarkQueueItem, 'instance'>({ instance: (row) => row.workflowInstanceId });
  readonly alterationPlans = new Map<string, AlterationPlan>();
  /** By plan, while not all of its instances have been found: how far it is. */
  readonly alterationCursors = new Map<string, string | undefined>();
  /** Jobs that have not ended, by plan; and one more while not all have been made. */
  readonly openAlterationJobs = new Map<string, number>();
  readonly alterationJobs = new MemoryTable<AlterationJob, 'plan'>({ plan: (row) => row.planId });
  readonly bulkPlans = new Map<string, BulkPlanRow>();
  readonly bulkBatches = new Map<string, BulkBatchRow>();
  readonly userTasks = new MemoryTable<UserTaskRecord, 'instance'>({ instance: (row) => row.workflowInstanceId });
  readonly userTaskEvents = new MemoryTable<UserTaskEvent, 'task' | 'instance'>({
    task: (row) => row.taskId,
    instance: (row) => row.workflowInstanceId,
  });
  readonly deadLetters = new MemoryTable<BookmarkQueueDeadLetter>({});
  readonly journal = new Map<string, StoredChunk[]>();
  journalWrites = 0;
  maxJournalBytes = DEFAULT_MAX_JOURNAL_BYTES;
  /** By instance. */
  readonly journalValues = new Map<string, MemoryJournalValues>();
  readonly activationKeys = new MemoryTable<ActivationKeyRow, 'instance'>({ instance: (row) => row.instanceId });
  readonly requestKeys = new Map<string, RequestKeyEntry>();
  readonly idempotencyKeys = new Map<string, { readonly itemId: string; readonly expiresAt: number }>();
  /** By hash. */
  readonly patterns = new Map<string, BookmarkPattern>();
  patternPurges = 0;
  definitionChanges = 0;
  /** By definition id: which change was the last of it. */
  readonly lastDefinitionChanges = new Map<string, number>();
}
