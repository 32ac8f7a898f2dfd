import type { WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import type { StoreTime } from './message-stores.js';
import type { IdPage, Page, PagedResult } from './paging.js';
import type { LoadedInstance, WorkflowInstanceSummary } from './records.js';

/** Instances whose times lie before or after a moment. */
export interface TimestampFilter {
  /** Which of their times. */
  column: 'CreatedAt' | 'UpdatedAt' | 'FinishedAt';
  /** How it is compared. */
  operator: 'Is' | 'IsNot' | 'LessThan' | 'GreaterThan' | 'LessThanOrEqual' | 'GreaterThanOrEqual';
  /** The moment. */
  timestamp: Date;
  /** With `IsNot`: the end of a stretch of time from that moment on, in which they must not lie; the end is outside. @default the moment alone */
  until?: Date;
}

/** All given members must hold; an empty list matches nothing. */
export interface InstanceFilter {
  /** Only these instances. */
  ids?: readonly string[];
  /** Only those of these definitions. */
  definitionIds?: readonly string[];
  /** None of these; an empty list excepts nothing. */
  exceptDefinitionIds?: readonly string[];
  /** Only those of these versions. */
  definitionVersionIds?: readonly string[];
  /** Only those of versions with that number. */
  version?: number;
  /** Only children of these instances. */
  parentWorkflowInstanceIds?: readonly string[];
  /** Only those with one of these correlation ids. */
  correlationIds?: readonly string[];
  /** Only those with one of these names. */
  names?: readonly string[];
  /** Contained in the name, without regard to case. */
  nameContains?: string;
  /** Only those with one of these statuses. */
  statuses?: readonly WorkflowStatus[];
  /** Only those with one of these sub-statuses. */
  subStatuses?: readonly WorkflowSubStatus[];
  /** If true, only those with incidents; false: only those without. */
  hasIncidents?: boolean;
  /** If true, only system instances; false: only the others. */
  isSystem?: boolean;
  /** If true, only those with a burst under way; false: only the others. */
  isExecuting?: boolean;
  /** Contained in instance id, definition id, definition version id, correlation id or name, without regard to case. */
  searchTerm?: string;
  /** Only those whose times fit all of these. */
  timestamps?: readonly TimestampFilter[];
}

/** How a list of instances is ordered. */
export interface InstanceOrder {
  /** Which of their members decides; of equal ones, the id. */
  by: 'Created' | 'UpdatedAt' | 'Finished' | 'Name';
  /** Smallest or earliest first, or last. */
  direction: 'Ascending' | 'Descending';
}

/** Selects a part of a list of instances. */
export interface InstancePage extends Page {
  /**
   * The `next` of the previous page, with the same order: the page begins there, at the same cost however far it is. @default
   * the first page
   */
  readonly after?: string | undefined;
  /**
   * How many instances are read if no index answers. `searchTerm` and `nameContains` are searched in the newest instances that match the
   * rest of the filter; older ones are found only by their whole id or correlation id, and by their whole name. An order other than
   * `Created` sorts only the newest instances that match or, ascending by a time, the oldest. @default all
   */
  readonly searchAmong?: number | undefined;
}

/** One part of a list of instances. */
export interface InstancesPage extends PagedResult<WorkflowInstanceSummary> {
  /** Where the next page begins. Undefined: this is the last page, or the list was read as a whole. */
  readonly next?: string;
  /** Only instances created then or later were looked at: see `InstancePage.searchAmong`. */
  readonly searchedSince?: Date;
  /** Only instances created then or earlier were looked at. */
  readonly searchedUntil?: Date;
}

/** Selects interrupted instances. */
export interface InterruptedOptions extends StoreTime {
  /** Milliseconds without a sign of life. */
  readonly quietMs: number;
  /** In place of `quietMs`: those that this node has stored half-way, and no other has stored since. */
  readonly executedBy?: string | undefined;
  /** Ids at most. A store may count what it looks at, and return fewer although there are more: `next` tells. */
  readonly limit: number;
  /** Leaves out those for which there is a message in the outbox whose id is this text and theirs. @default none are left out */
  readonly unlessMessage?: string;
  /** `next` of the look before. @default from the beginning */
  readonly after?: string | undefined;
}

/** Ids of instances whose burst was interrupted. */
export interface InterruptedInstanceIds {
  /** In the store's own order, so that each look continues where the previous one ended. */
  readonly ids: readonly string[];
  /** Where the next look continues, also when this one found none. Undefined: there are no more. */
  readonly next: string | undefined;
}

/** How an instance is loaded. */
export interface LoadOptions {
  /**
   * If true, the caller resumes it: the long lists of its state may be at rest (`restingLists`), as few of their items are needed, or none,
   * and the other members are those of the state, not what a heartbeat has written beside it since. A store that does not know it may
   * ignore it. @default false
   */
  readonly mayRest?: boolean;
}

/**
 * Kinds of the messages that start an instance, encrypted ones included. Their `workflowInstanceId` is the parent that has sent them: when it is
 * cancelled, or deleted before it has finished, they are deleted with it. A parent that has finished leaves them behind.
 */
export const START_KINDS: readonly string[] = ['start', 'encrypted-start'];

/** Instances for reading and removal. Writing is `WorkflowPersistence.commit` only. */
export interface InstanceStore {
  /** The instance with its state and revision; undefined: it is not there. */
  load(id: string, options?: LoadOptions): Promise<LoadedInstance | undefined>;
  /** The revision that `load` would give, at the cost of a look-up however large the state is; undefined: it is not there. */
  readRevision(id: string): Promise<number | undefined>;
  /** Id of the running instance that holds the activation key. */
  findKeyHolder(activationKey: string): Promise<string | undefined>;
  /** Id of the instance that the request key has started, which may have been removed; undefined: the key is not in use. */
  findKeyUser(requestKey: string): Promise<string | undefined>;
  /**
   * A part of the instances that the filter selects, without their states.
   * @param order default: newest first
   * @throws InvalidListPlaceError
   */
  findMany(filter: InstanceFilter, order?: InstanceOrder, page?: InstancePage): Promise<InstancesPage>;
  /** In order of id. @param page default: all of them */
  findIds(filter: InstanceFilter, page?: IdPage): Promise<string[]>;
  /** How many instances the filter selects. */
  count(filter: InstanceFilter): Promise<number>;
  /**
   * Sets `updatedAt` of those that are executing, and nothing else: no revision, so that no commit is disturbed.
   * @param now @default the store's own time
   */
  touch(ids: readonly string[], now?: Date): Promise<void>;
  /** Running instances that are executing and were not updated for that long, or are a dead node's. */
  findInterrupted(options: InterruptedOptions): Promise<InterruptedInstanceIds>;
  /**
   * Removes instances with their bookmarks, journal, activation keys, queue items and outbox messages. Request keys stay:
   * a repeated request must not start what an operator removed. Messages that start children stay as well where the parent has finished
   * (sub-status `Finished`), and lose their `workflowInstanceId`: see `START_KINDS`. Returns how many instances were there.
   */
  delete(ids: readonly string[]): Promise<number>;
  /**
   * Removes finished instances with all that belongs to them, those that finished first before the others. Callers at the same time remove
   * different ones, without waiting for each other: one that gets fewer than `limit` leaves the rest to the others. Faulted ones with a
   * child that runs stay: they keep it for a repair, and without them nothing would end it. Messages that start children stay as in `delete`,
   * of all of them: nothing is cancelled by a purge.
   * @returns their ids, `limit` at most
   */
  purge(filter: InstanceFilter, limit: number): Promise<string[]>;
  /**
   * Forgets request keys that were used before that time, the oldest first. Returns how many, `limit` at most. Several
   * callers share them, as with `purge`.
   */
  purgeRequestKeys(before: Date, limit: number): Promise<number>;
}
