import { type Bookmark, type WorkflowState, type WorkflowStatus, type WorkflowSubStatus } from '@waymark/core';
import { EncryptedValue, REDACTED } from '@waymark/core/adapter';

/** Row of a workflow instance. Scalar members repeat what the state says, so that lists need not read states. */
export interface WorkflowInstanceRecord {
  /** Id of the instance. */
  id: string;
  /** Logical id of the workflow definition, which all its versions share. */
  definitionId: string;
  /** Id of the version that it runs. */
  definitionVersionId: string;
  /** Number of that version. */
  version: number;
  /** The instance that has started it as a child. */
  parentWorkflowInstanceId?: string;
  /** Running or Finished. */
  status: WorkflowStatus;
  /** More exactly: suspended, finished, faulted … */
  subStatus: WorkflowSubStatus;
  /** True while a burst is under way, or was when its node died. */
  isExecuting: boolean;
  /** Its business key. */
  correlationId?: string;
  /** A name for people. */
  name?: string;
  /** How many incidents it has. */
  incidentCount: number;
  /** If true, lists leave it out unless asked. */
  isSystem: boolean;
  /** When it was started. */
  createdAt: Date;
  /** When it was last written, or last showed a sign of life. */
  updatedAt: Date;
  /** When it ended. */
  finishedAt?: Date;
  /** Everything else. */
  state: WorkflowState;
}

/** An instance as loaded: `revision` counts its commits and must be given back to the next one (W3). */
export interface LoadedInstance extends WorkflowInstanceRecord {
  /** Number of commits so far. */
  readonly revision: number;
}

/** The row of an instance without its state. */
export type WorkflowInstanceSummary = Omit<WorkflowInstanceRecord, 'state'>;

/** Look-up row of a bookmark of a running instance; everything else stands in the instance's state. */
export interface StoredBookmark {
  /** Id of the bookmark. */
  id: string;
  /** Stimulus name. */
  name: string;
  /** Hash of the stimulus name and payload. */
  hash: string;
  /** The instance that waits. */
  workflowInstanceId: string;
  /** The execution that waits. */
  activityInstanceId: string;
  /** Where its activity stands in the definition, for statistics. A store leaves out what it cannot keep in a column. */
  activityNodeId?: string;
  /** Correlation id of the instance. */
  correlationId?: string;
  /** Payload that a stimulus must have to match it. */
  payload?: unknown;
  /** What the activity keeps with it. */
  metadata?: Record<string, string>;
  /** When the activity began to wait. */
  createdAt: Date;
  /** When the scheduler has to resume it (W4). */
  dueAt?: Date;
  /** Set by the store where a part of the row cannot be read: that part is undefined. The instance has the bookmark in its state as well. */
  unreadable?: Error;
}

/** What bookmarks wait for that more than one stimulus matches, such as a path with parameters. */
export interface BookmarkPattern {
  /** Hash of the bookmarks that wait at it. */
  hash: string;
  /** Name of those bookmarks. */
  name: string;
  /** What a stimulus has to match. */
  payload: unknown;
  /** When a commit last said that it is in use. */
  announcedAt: Date;
  /** Why `payload` is undefined: it was damaged (`WM1054`), or written by a newer version (`WM2053`). */
  unreadable?: Error;
}

/** Returns the row of an instance. Scalar members repeat what the state says. */
export function toInstanceRecord(state: WorkflowState): WorkflowInstanceRecord {
  return {
    id: state.id,
    definitionId: state.definitionId,
    definitionVersionId: state.definitionVersionId,
    version: state.definitionVersion,
    parentWorkflowInstanceId: state.parentWorkflowInstanceId,
    status: state.status,
    subStatus: state.subStatus,
    isExecuting: state.isExecuting,
    correlationId: state.correlationId,
    name: state.name,
    incidentCount: state.incidents.length,
    isSystem: state.isSystem,
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
    finishedAt: state.finishedAt,
    state,
  };
}

/** The look-up row of a bookmark of a state; an encrypted payload is left out of it. */
export function toStoredBookmark(
  bookmark: Bookmark,
  workflowInstanceId: string,
  correlationId?: string,
): StoredBookmark {
  const { id, name, hash, activityInstanceId, activityNodeId, metadata, createdAt, dueAt } = bookmark;
  // Rows are looked up by all nodes, also those that know nothing of encryption.
  const payload = bookmark.payload instanceof EncryptedValue ? REDACTED : bookmark.payload;
  return {
    id,
    name,
    hash,
    workflowInstanceId,
    activityInstanceId,
    activityNodeId,
    correlationId,
    payload,
    metadata,
    createdAt,
    dueAt,
  };
}

/** One way to start a published workflow: one row per payload of a trigger activity. */
export interface StoredTrigger {
  /** Id of the row. */
  id: string;
  /** The definition that it starts. */
  workflowDefinitionId: string;
  /** The version that it starts. */
  workflowDefinitionVersionId: string;
  /** Stimulus name, e.g. `Elsa.HttpEndpoint`. */
  name: string;
  /** Id of the trigger in that version. */
  activityId: string;
  /** Hash of the stimulus name and payload. */
  hash: string;
  /** Payload that a stimulus must have to match it. */
  payload?: unknown;
  /** Next time the scheduler has to fire it (W4); null once it will never fire again, or while it is paused. */
  dueAt?: Date | null;
  /** Set while it is paused. It has no due time then, so that no node fires it, whatever its version. */
  paused?: PausedTrigger;
  /** The latest occurrence that was claimed, by a node that knows of this member. */
  lastFiring?: LastFiring;
  /** Two triggers of different definitions must not share it, e.g. `http GET orders/{}`; enforced by the store. */
  exclusiveKey?: string;
  /** Set by the store where a part of the row cannot be read: that part is undefined, and it is not fired. */
  unreadable?: Error;
}

/** How a trigger was when it was paused. */
export interface PausedTrigger {
  /** Since when. */
  at: Date;
  /** The occurrence that it would have fired next. */
  dueAt: Date;
}

/** What became of an occurrence. */
export const FiringResult = {
  /** It started an instance. */
  Started: 'Started',
  /** Of the application's own: what it asks for was handed to the outbox. */
  Sent: 'Sent',
  /** The activation strategy of the workflow forbade the start. */
  Refused: 'Refused',
  /** It was missed, and its misfire policy leaves it out. */
  Missed: 'Missed',
} as const;
export type FiringResult = (typeof FiringResult)[keyof typeof FiringResult];

/** The latest occurrence of a trigger or schedule. */
export interface LastFiring {
  /** The time for which it was due. */
  dueAt: Date;
  /** When it was fired, by the time of the store. */
  firedAt: Date;
  /** What became of it. */
  result: FiringResult;
}

/** A message to the runtime itself, written in the commit that caused it and deleted in the commit that served it. */
export interface OutboxMessage {
  /** Chosen by the writer: a message of a known id is not written again. */
  id: string;
  /** The instance it is for: removed with that instance. */
  workflowInstanceId?: string;
  /** What to do; a handler is registered for each kind, e.g. `start`, `stimulus`, `resume-parent`, `run-task`. */
  kind: string;
  /** What the handler needs; any value that states may hold. */
  payload: unknown;
  /**
   * Set by the store where the payload cannot be read: a newer version of Waymark wrote it, and it stays for nodes that can read it, or it
   * was damaged, and it becomes a dead letter.
   */
  unreadable?: Error;
  /** When it was written. */
  createdAt: Date;
  /** Earliest time at which it is served. */
  availableAt: Date;
  /** Failed attempts so far. One whose lease ran out, because its node died, counts as failed. */
  attempts: number;
  /** Why the last attempt failed. */
  lastError?: string;
  /**
   * Long work has its place in the line, 1 or more, so that one instance with much work does not keep others waiting. Below 0
   * it waits for a place of its definition, for which the number stands.
   */
  turn?: number;
  /** Name of the node that has written it and serves it first: until `availableAt`, the others leave it alone. */
  writtenBy?: string;
}

/** A stimulus that is kept until a bookmark matches it, it expires, or it is replayed (W5). */
export interface BookmarkQueueItem {
  /** Id of the item. */
  id: string;
  /** Given by the sender: the same key is queued once; it is remembered until `expiresAt`, also after delivery. */
  idempotencyKey?: string;
  /** Only a bookmark of this instance matches. */
  workflowInstanceId?: string;
  /** Only a bookmark of an instance with this correlation id matches. */
  correlationId?: string;
  /** Only this bookmark matches. */
  bookmarkId?: string;
  /** Only a bookmark with this hash matches. */
  stimulusHash?: string;
  /** Only a bookmark of this execution matches. */
  activityInstanceId?: string;
  /** Stimulus name. */
  activityTypeName?: string;
  /** What the resumed activity receives. */
  input?: Record<string, unknown>;
  /** What the resumed instance keeps of it. */
  properties?: Record<string, unknown>;
  /** When it was sent. */
  createdAt: Date;
  /** When it becomes a dead letter, unless it was delivered. */
  expiresAt: Date;
  /** Failed deliveries so far. */
  attempts: number;
  /** Why the last delivery failed. */
  lastError?: string;
  /** Set by the store where input and properties cannot be read. It is not delivered. */
  unreadable?: Error;
}

/** A stimulus that was never delivered. */
export interface BookmarkQueueDeadLetter extends BookmarkQueueItem {
  /** Id of the item that it was. */
  originalQueueItemId: string;
  /** When it became a dead letter. */
  deadLetteredAt: Date;
  /** Every delivery failed, or its time was over. */
  reason: 'Failed' | 'Expired';
  /** If false, it was replayed. */
  canReplay: boolean;
  /** When it was replayed. */
  replayedAt?: Date;
}
