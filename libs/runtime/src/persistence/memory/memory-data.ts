import type { JournalChunk } from '@waymark/core';
import type { AlterationJob, AlterationPlan } from '../alteration-store.js';
import type { LoadedDefinition } from '../definition-store.js';
import type {
  BookmarkPattern,
  BookmarkQueueDeadLetter,
  BookmarkQueueItem,
  LoadedInstance,
  OutboxMessage,
  StoredBookmark,
  StoredTrigger,
} from '../records.js';
import { MemoryTable } from './memory-table.js';

export interface OutboxRow extends OutboxMessage {
  /** From when on it may be claimed: `availableAt`, or the end of the lease; undefined once it is buried. */
  readonly readyAt: number | undefined;
  readonly claimedBy?: string;
}

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

export interface RequestKeyEntry {
  /** What it started. */
  readonly instanceId: string;
  readonly usedAt: number;
}

/** Who waits for this, of this correlation. */
export function waitingKey(hash: string, correlationId: string): string {
  return `${hash} ${correlationId}`;
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
  readonly instances = new MemoryTable<LoadedInstance>({});
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
  readonly outbox = new MemoryTable<OutboxRow>({});
  readonly queue = new MemoryTable<BookmarkQueueItem>({});
  readonly alterationPlans = new Map<string, AlterationPlan>();
  /** Jobs that have not ended, by plan. */
  readonly openAlterationJobs = new Map<string, number>();
  readonly alterationJobs = new MemoryTable<AlterationJob, 'plan'>({ plan: (row) => row.planId });
  readonly deadLetters = new MemoryTable<BookmarkQueueDeadLetter>({});
  readonly journal = new Map<string, JournalChunk[]>();
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
