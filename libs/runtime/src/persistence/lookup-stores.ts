import type { ActivityExecutionRecord, JournalChunk, WorkflowExecutionLogEntry } from '@waymark/core';
import type { Page, PagedResult } from './paging.js';
import type { StoredBookmark, StoredTrigger } from './records.js';
import type { TriggerFiring } from './burst-commit.js';

/** All given members must hold. A filter without any member is refused (`EmptyFilterError`): it would mean everything. */
export interface BookmarkFilter {
  ids?: readonly string[];
  hash?: string;
  hashes?: readonly string[];
  names?: readonly string[];
  workflowInstanceId?: string;
  workflowInstanceIds?: readonly string[];
  correlationId?: string;
  activityInstanceId?: string;
}

/** Bookmark rows, for look-up only: they are written by `commit`. */
export interface BookmarkStore {
  /** Oldest first. */
  findMany(filter: BookmarkFilter): Promise<StoredBookmark[]>;
  /** Rows due at or before that time, earliest first. */
  findDue(before: Date, limit: number): Promise<StoredBookmark[]>;
}

export interface TriggerFilter {
  ids?: readonly string[];
  hash?: string;
  names?: readonly string[];
  workflowDefinitionIds?: readonly string[];
  workflowDefinitionVersionIds?: readonly string[];
}

/** Trigger rows. They are written with their definition (`DefinitionStore.apply`) or moved on by a firing. */
export interface TriggerStore {
  /** An empty filter selects all triggers. */
  findMany(filter: TriggerFilter): Promise<StoredTrigger[]>;
  findDue(before: Date, limit: number): Promise<StoredTrigger[]>;
  /** Moves an occurrence on without starting anything (a refused or skipped one). False when it was claimed already. */
  advance(firing: TriggerFiring): Promise<boolean>;
}

/** The journal of one instance. Written by `commit`; `append` is for imports. */
export interface JournalStore {
  /** In order of sequence. */
  readLog(instanceId: string): Promise<WorkflowExecutionLogEntry[]>;
  readLogPage(instanceId: string, page: Page): Promise<PagedResult<WorkflowExecutionLogEntry>>;
  /** In order of start; the latest state of each. */
  readRecords(instanceId: string): Promise<ActivityExecutionRecord[]>;
  append(instanceId: string, chunk: JournalChunk): Promise<void>;
}
