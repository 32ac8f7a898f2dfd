import type {
  WorkflowDefinition,
  WorkflowState,
  ActivityExecutionRecord,
  WorkflowExecutionLogEntry,
} from '@waymark/core';

import type {
  BookmarkQueueItem,
  BurstCommit,
  DefinitionChange,
  OutboxMessage,
  QueueMatch,
  StoredSchedule,
  WorkflowInstanceRecord,
} from '@waymark/runtime/adapter';
import type { StoredBookmark, StoredTrigger } from '@waymark/runtime';

/** Time of everything that the builders make, unless told otherwise; with milliseconds, because stores lose them. */
export const T0 = new Date('2026-03-01T10:20:30.123Z');

export function after(ms: number): Date {
  return new Date(T0.getTime() + ms);
}

let counter = 0;
const run = Math.random().toString(36).slice(2, 8);

/** An id that no other test and no other run uses, so that suites can share a store. */
export function uid(prefix: string): string {
  return `${prefix}-${run}-${++counter}`;
}

export function aState(
  record: Omit<WorkflowInstanceRecord, 'state'>,
  given: Partial<WorkflowState> = {},
): WorkflowState {
  return {
    id: record.id,
    definitionId: record.definitionId,
    definitionVersionId: record.definitionVersionId,
    definitionVersion: record.version,
    parentWorkflowInstanceId: record.parentWorkflowInstanceId,
    correlationId: record.correlationId,
    name: record.name,
    isSystem: record.isSystem,
    status: record.status,
    subStatus: record.subStatus,
    isExecuting: record.isExecuting,
    bookmarks: [],
    incidents: [],
    completionCallbacks: [],
    activityExecutionContexts: [],
    scheduledActivities: [],
    executionLogSequence: 0,
    activityExecutionCount: 0,
    input: {},
    output: {},
    properties: {},
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    finishedAt: record.finishedAt,
    ...given,
  };
}

/** A suspended instance. */
export function anInstance(given: Partial<WorkflowInstanceRecord> = {}): WorkflowInstanceRecord {
  const scalars: Omit<WorkflowInstanceRecord, 'state'> = {
    id: uid('instance'),
    definitionId: 'definition',
    definitionVersionId: 'definition-v1',
    version: 1,
    status: 'Running',
    subStatus: 'Suspended',
    isExecuting: false,
    incidentCount: 0,
    isSystem: false,
    createdAt: T0,
    updatedAt: T0,
    ...given,
  };
  return { ...scalars, state: given.state ?? aState(scalars) };
}

export function finished(instance: WorkflowInstanceRecord): WorkflowInstanceRecord {
  const { state: _state, ...scalars } = instance;
  return anInstance({ ...scalars, status: 'Finished', subStatus: 'Finished', finishedAt: after(1000) });
}

export function aBookmark(instanceId: string, given: Partial<StoredBookmark> = {}): StoredBookmark {
  return {
    id: uid('bookmark'),
    name: 'Test.Event',
    hash: uid('hash'),
    workflowInstanceId: instanceId,
    activityInstanceId: uid('activity'),
    createdAt: T0,
    ...given,
  };
}

/** A burst that starts an instance and changes nothing else. */
export function aBurst(instance: WorkflowInstanceRecord, given: Partial<BurstCommit> = {}): BurstCommit {
  return {
    instance,
    expectedRevision: undefined,
    addedBookmarks: [],
    removedBookmarkIds: [],
    consumedBookmarkIds: [],
    journal: { log: [], records: [] },
    outbox: [],
    consumedMessageIds: [],
    queue: [],
    consumedQueueItemIds: [],
    ...given,
  };
}

/** A burst that uses up one bookmark of an instance loaded with `expectedRevision`. */
export function aResume(instance: WorkflowInstanceRecord, expectedRevision: number, bookmarkId: string): BurstCommit {
  return aBurst(instance, {
    expectedRevision,
    removedBookmarkIds: [bookmarkId],
    consumedBookmarkIds: [bookmarkId],
  });
}

/** A change of definitions that does nothing but what is given. */
export function aChange(given: Partial<DefinitionChange>): DefinitionChange {
  return { saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds: [], ...given };
}

export function aLogEntry(sequence: number, given: Partial<WorkflowExecutionLogEntry> = {}): WorkflowExecutionLogEntry {
  return {
    sequence,
    activityInstanceId: 'activity-1',
    activityId: 'WriteLine1',
    activityType: 'Elsa.WriteLine',
    activityTypeVersion: 1,
    activityNodeId: 'Workflow1:WriteLine1',
    timestamp: after(sequence),
    eventName: 'Completed',
    ...given,
  };
}

export function aRecord(given: Partial<ActivityExecutionRecord> = {}): ActivityExecutionRecord {
  return {
    id: uid('execution'),
    activityId: 'WriteLine1',
    activityNodeId: 'Workflow1:WriteLine1',
    activityType: 'Elsa.WriteLine',
    activityTypeVersion: 1,
    properties: {},
    metadata: {},
    startedAt: T0,
    hasBookmarks: false,
    status: 'Running',
    aggregateFaultCount: 0,
    callStackDepth: 0,
    ...given,
  };
}

export function aMessage(given: Partial<OutboxMessage> = {}): OutboxMessage {
  return {
    id: uid('message'),
    kind: 'test',
    payload: { text: 'hello' },
    createdAt: T0,
    availableAt: T0,
    attempts: 0,
    ...given,
  };
}

export function anItem(given: Partial<BookmarkQueueItem> = {}): BookmarkQueueItem {
  return {
    id: uid('item'),
    stimulusHash: uid('hash'),
    createdAt: T0,
    expiresAt: after(600_000),
    attempts: 0,
    ...given,
  };
}

/** What the queue is asked when this bookmark appears. */
export function matchOf(bookmark: StoredBookmark): QueueMatch {
  const { id, hash, name, workflowInstanceId, activityInstanceId, correlationId } = bookmark;
  return { bookmarkId: id, hash, name, workflowInstanceId, activityInstanceId, correlationId };
}

export function aDefinition(given: Partial<WorkflowDefinition> = {}): WorkflowDefinition {
  const definitionId = given.definitionId ?? uid('definition');
  const version = given.version ?? 1;
  return {
    id: `${definitionId}:${version}`,
    definitionId,
    version,
    name: `Name of ${definitionId}`,
    createdAt: T0,
    isLatest: true,
    isPublished: true,
    isReadonly: false,
    isSystem: false,
    materializerName: 'Json',
    variables: [],
    inputs: [],
    outputs: [],
    outcomes: [],
    customProperties: {},
    options: {},
    root: { type: 'Elsa.Flowchart' },
    ...given,
  };
}

export function aTrigger(definition: WorkflowDefinition, given: Partial<StoredTrigger> = {}): StoredTrigger {
  return {
    id: uid('trigger'),
    workflowDefinitionId: definition.definitionId,
    workflowDefinitionVersionId: definition.id,
    name: 'Test.Trigger',
    activityId: 'Trigger1',
    hash: uid('hash'),
    ...given,
  };
}

/** Of the application: starts a workflow every minute. */
export function aSchedule(given: Partial<StoredSchedule> = {}): StoredSchedule {
  return {
    id: uid('schedule'),
    token: uid('token'),
    name: 'Elsa.Timer',
    hash: uid('hash'),
    payload: { interval: '00:01:00' },
    request: { kind: 'start', definition: 'definition', values: {} },
    createdAt: T0,
    dueAt: T0,
    ...given,
  };
}
