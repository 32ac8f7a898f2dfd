import type { VersionOptions, WorkflowDefinition } from '@waymark/core';
import type { Page, PagedResult } from './paging.js';
import type { OutboxMessage, StoredTrigger } from './records.js';

/** A definition as loaded; `revision` counts the writes of this row and must be given back to change it. */
export interface LoadedDefinition extends WorkflowDefinition {
  /** Number of changes of the row; a writer has to know it. */
  readonly revision: number;
}

/** A version without its content. */
export type DefinitionVersion = Pick<
  LoadedDefinition,
  'id' | 'definitionId' | 'version' | 'name' | 'isLatest' | 'isPublished' | 'isReadonly' | 'revision'
>;

/** A definition, and one of which its latest version uses some version as an activity. */
export interface DefinitionUse {
  /** Id of the definition that is used. */
  readonly usedDefinitionId: string;
  /** Id of the other definition that uses it. */
  readonly definitionId: string;
}

/** The position of a node that follows the changes of definitions. */
export interface DefinitionPosition {
  /** As `DefinitionStore.changeCounter`. */
  readonly counter: number;
  /** How many of these changes do not say what they changed: those of nodes of an older version. */
  readonly unnamed: number;
}

/** Changes of definitions since a position. */
export interface DefinitionChanges {
  /** Where the store stands: to be given back with the next question. */
  readonly position: DefinitionPosition;
  /**
   * Definitions that were saved, deleted, or whose triggers changed; each once. Undefined: any may have been, as after a
   * position that the store has not reached, since it was restored from a backup.
   */
  readonly definitionIds: readonly string[] | undefined;
}

/** All given members must hold. An empty filter selects everything. */
export interface DefinitionFilter {
  /** Only this version. */
  id?: string;
  /** Only these versions. */
  ids?: readonly string[];
  /** Only versions of that definition. */
  definitionId?: string;
  /** Only versions of these definitions. */
  definitionIds?: readonly string[];
  /** Only the latest, the published … versions. */
  versionOptions?: VersionOptions;
  /** Only those with that name. */
  name?: string;
  /** Contained in id, definition id, name or description, without regard to case. */
  searchTerm?: string;
  /** If true, only system definitions; false: only the others. */
  isSystem?: boolean;
  /** If true, only those that come from code; false: only the others. */
  isReadonly?: boolean;
  /** Only those that were made so: `Json` or `CLR`. */
  materializerName?: string;
  /** If true, only those that others may use as an activity; false: only the others. */
  usableAsActivity?: boolean;
}

/** How a list of definitions is ordered. */
export interface DefinitionOrder {
  /** Which of their members decides; of equal ones, the id. */
  by: 'Name' | 'Created' | 'Version';
  /** Smallest or earliest first, or last. */
  direction: 'Ascending' | 'Descending';
}

/**
 * A change of definitions together with their trigger rows, in one transaction: a published workflow is never without
 * its triggers, nor a retracted one with them. Checks, with nothing written when one fails:
 * - a row's `expectedRevision` differs, or an inserted id or (definitionId, version) exists → `ConcurrencyConflictError`
 * - a version in `deletedAs` has another revision by now, or is gone → `ConcurrencyConflictError`
 * - a definition in `emptied` would keep a version → `ConcurrencyConflictError`
 * - a trigger in `unfired` has another due time by now, or is gone → `ConcurrencyConflictError`
 * - an added trigger's `exclusiveKey` is held by another definition → `ExclusiveTriggerError`
 */
export interface DefinitionChange {
  /** Versions to insert or to replace. */
  readonly saved: readonly SavedDefinition[];
  /** Versions to delete; absent ones are not an error. */
  readonly deletedIds: readonly string[];
  /**
   * Deleted versions that must still have this revision: their triggers and what takes their place were worked out for it. @default none
   */
  readonly deletedAs?: readonly Pick<DefinitionVersion, 'id' | 'revision'>[];
  /** Definitions that must have no version afterwards: none was added since the caller read which to delete. @default none */
  readonly emptied?: readonly string[];
  /**
   * One with a known id replaces that row. While the hash is the same, the stored due time stays: the scheduler may have
   * moved it on since the caller read it, and an occurrence must not fire twice (W4).
   */
  readonly addedTriggers: readonly StoredTrigger[];
  /** Trigger rows to delete; absent ones are not an error. */
  readonly removedTriggerIds: readonly string[];
  /**
   * Removed triggers that must still have this due time, because others take their place. Those were given their times by what the
   * caller has read: had one of these fired meanwhile, its successor could fire for the same time once more (W4). @default none
   */
  readonly unfired?: readonly UnfiredTrigger[];
  /** Work that follows from the change. @default none */
  readonly messages?: readonly OutboxMessage[];
}

/** A version to insert or to replace. */
export interface SavedDefinition {
  /** What is stored. */
  readonly definition: WorkflowDefinition;
  /** The revision of the row that is replaced; undefined: insert. */
  readonly expectedRevision: number | undefined;
  /**
   * The revision of an inserted row, where its id may have been that of a row that is deleted: higher than any of that one, so that a
   * cache or a client that knows the deleted row does not take this one for it. @default 1
   */
  readonly firstRevision?: number | undefined;
}

/** A revision that no version has had so far: each change raises one by 1, so that the number of all changes is as high. */
export const unusedRevision = async (definitions: Pick<DefinitionStore, 'changeCounter'>): Promise<number> =>
  (await definitions.changeCounter()) + 1;

/** A trigger and its due time, as it was read. */
export interface UnfiredTrigger {
  /** Id of the trigger. */
  readonly id: string;
  /** When it is due. */
  readonly dueAt: Date;
}

/** Definitions, one row per version. Not here on purpose: publishing rules, which belong to `WorkflowDefinitionPublisher`. */
export interface DefinitionStore {
  /** The match with the highest version. */
  find(filter: DefinitionFilter): Promise<LoadedDefinition | undefined>;
  /** Versions that the filter selects, whole. @param order default: by name, ascending */
  findMany(filter: DefinitionFilter, order?: DefinitionOrder, page?: Page): Promise<PagedResult<LoadedDefinition>>;
  /** Ids of what `findMany` finds, in one statement: a list that is read in portions has each row once. */
  findIds(filter: DefinitionFilter, order?: DefinitionOrder, page?: Page): Promise<PagedResult<string>>;
  /** Versions that the filter selects, without content, so that it costs little whatever is in them; by definition id, then by version. */
  findVersions(filter: DefinitionFilter): Promise<DefinitionVersion[]>;
  /** Latest versions of other definitions that use any version of that one as an activity; by name, then by id. */
  findConsumers(definitionId: string): Promise<DefinitionVersion[]>;
  /** Consumers of each of these; of each, by name of the consumer, then by id. As many queries for a thousand as for one, nearly. */
  findUses(definitionIds: readonly string[]): Promise<DefinitionUse[]>;
  /** How many versions the filter selects. */
  count(filter: DefinitionFilter): Promise<number>;
  /** Writes the change, whole or not at all. @throws ConcurrencyConflictError, ExclusiveTriggerError */
  apply(change: DefinitionChange): Promise<void>;
  /** Grows with every `apply`, on every node; caches compare it (W6). */
  changeCounter(): Promise<number>;
  /** What changed since, on any node. Its cost does not depend on how many definitions there are. */
  findChanges(since: DefinitionPosition | undefined): Promise<DefinitionChanges>;
}
