import { type WorkflowDefinition } from '@waymark/core';
import { MAX_ID_LENGTH, MAX_TEXT_LENGTH, requireStorableText } from '@waymark/core/adapter';
import type { BurstCommit } from './burst-commit.js';
import type { DefinitionChange } from './definition-store.js';
import type { CompletedUserTask, UserTaskRecord } from './user-task.js';
import type { StoredSchedule } from './schedule-store.js';
import type { BookmarkQueueItem, OutboxMessage, StoredBookmark, StoredTrigger } from './records.js';

/** With a letter before it that says whose list it names. */
const MAX_PERSON_LENGTH = 250;

/*
 * The texts of rows that stand in columns of their own, with what those hold. Every store asks before it writes: a
 * database would refuse them, shorten them, or keep what another one does not. JSON has no limits and escapes everything.
 */

/** Refuses texts of the instance, bookmarks, messages and tasks of a burst that columns do not hold. @throws TextNotStorableError (`WM1103`) */
export function requireStorableBurst(burst: BurstCommit): void {
  const { instance } = burst;
  // Those of an instance that an earlier build has stored: a burst that does not change them must not be lost for them.
  const maxBytes = burst.expectedRevision === undefined ? undefined : Infinity;
  requireStorableText('workflow instance id', instance.id, MAX_ID_LENGTH);
  requireStorableText('correlation id', instance.correlationId, MAX_TEXT_LENGTH, maxBytes);
  requireStorableText('name of the workflow instance', instance.name, MAX_TEXT_LENGTH, maxBytes);
  requireStorableText('definition id', instance.definitionId, MAX_ID_LENGTH);
  requireStorableText('version id', instance.definitionVersionId, MAX_ID_LENGTH);
  requireStorableText('id of the parent', instance.parentWorkflowInstanceId, MAX_ID_LENGTH);
  requireStorableText('request key', burst.requestKey);
  requireStorableText('activation key', burst.activationKey);
  for (const bookmark of burst.addedBookmarks) requireStorableBookmark(bookmark, maxBytes);
  requireStorableMessages(burst.outbox);
  for (const task of burst.userTasks?.opened ?? []) requireStorableTask(task);
  for (const completed of burst.userTasks?.completed ?? []) requireStorableCompletion(completed);
}

/** Refuses texts of definitions and triggers that columns do not hold. @throws TextNotStorableError (`WM1103`) */
export function requireStorableDefinitions(change: DefinitionChange): void {
  for (const { definition } of change.saved) requireStorableDefinition(definition);
  for (const trigger of change.addedTriggers) requireStorableTrigger(trigger);
}

/** Refuses texts of messages that columns do not hold. @throws TextNotStorableError (`WM1103`) */
export function requireStorableMessages(messages: readonly OutboxMessage[]): void {
  for (const { id, kind, workflowInstanceId } of messages) {
    requireStorableText('message id', id, MAX_ID_LENGTH);
    requireStorableText('kind of the message', kind, MAX_ID_LENGTH);
    requireStorableText('workflow instance id', workflowInstanceId, MAX_ID_LENGTH);
  }
}

/** Refuses texts of an item of the bookmark queue that columns do not hold. @throws TextNotStorableError (`WM1103`) */
export function requireStorableItem(item: BookmarkQueueItem): void {
  requireStorableText('queue item id', item.id, MAX_ID_LENGTH);
  requireStorableText('idempotency key', item.idempotencyKey);
  requireStorableText('workflow instance id', item.workflowInstanceId, MAX_ID_LENGTH);
  requireStorableText('correlation id', item.correlationId);
  requireStorableText('bookmark id', item.bookmarkId, MAX_ID_LENGTH);
  requireStorableText('stimulus hash', item.stimulusHash, MAX_ID_LENGTH);
  requireStorableText('activity instance id', item.activityInstanceId, MAX_ID_LENGTH);
  requireStorableText('stimulus name', item.activityTypeName);
}

/** Refuses texts of a schedule that columns do not hold. @throws TextNotStorableError (`WM1103`) */
export function requireStorableSchedule(schedule: StoredSchedule): void {
  requireStorableText('schedule id', schedule.id, MAX_ID_LENGTH);
  requireStorableText('definition id', schedule.workflowDefinitionId, MAX_ID_LENGTH);
  requireStorableText('workflow instance id', schedule.workflowInstanceId, MAX_ID_LENGTH);
}

/** Refuses texts of the end of a task that columns do not hold. @throws TextNotStorableError (`WM1103`) */
export function requireStorableCompletion({ by }: Pick<CompletedUserTask, 'by'>): void {
  requireStorableText('name of a user', by, MAX_PERSON_LENGTH);
}

/** Refuses texts of a task that columns do not hold. @throws TextNotStorableError (`WM1103`) */
export function requireStorableTask(task: UserTaskRecord): void {
  requireStorableText('task id', task.id, MAX_ID_LENGTH);
  requireStorableText('name of the task', task.name, MAX_ID_LENGTH);
  for (const name of [task.assignee, ...task.candidateUsers, ...task.candidateGroups])
    requireStorableText('name of a user or group', name, MAX_PERSON_LENGTH);
}

function requireStorableBookmark(bookmark: StoredBookmark, maxBytes: number | undefined): void {
  requireStorableText('bookmark id', bookmark.id, MAX_ID_LENGTH);
  requireStorableText('bookmark name', bookmark.name);
  requireStorableText('correlation id', bookmark.correlationId, MAX_TEXT_LENGTH, maxBytes);
  requireStorableText('bookmark hash', bookmark.hash, MAX_ID_LENGTH);
  requireStorableText('activity instance id', bookmark.activityInstanceId, MAX_ID_LENGTH);
}

function requireStorableDefinition(definition: WorkflowDefinition): void {
  requireStorableText('definition id', definition.definitionId, MAX_ID_LENGTH);
  requireStorableText('version id', definition.id, MAX_ID_LENGTH);
  requireStorableText('name of the definition', definition.name);
  requireStorableText('description', definition.description, Infinity);
  requireStorableText('name of the materializer', definition.materializerName, MAX_ID_LENGTH);
}

function requireStorableTrigger(trigger: StoredTrigger): void {
  requireStorableText('trigger id', trigger.id, MAX_ID_LENGTH);
  requireStorableText('name of the trigger', trigger.name);
  requireStorableText('id of the activity', trigger.activityId);
  requireStorableText('key of the trigger', trigger.exclusiveKey);
}
