import { ActivityStatus, type WorkflowState, WorkflowStatus, WorkflowSubStatus } from '@waymark/core';
import { isCallbackName } from '@waymark/core/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import { isObject, kindOf } from '../requests/json-values.js';
import type { ImportedInstance } from './instance-file.js';

/** @param place of the value, as messages name it */
type Check = (value: unknown, place: string) => void;

/** Columns of databases hold no larger ones. */
const LARGEST_INTEGER = 2_147_483_647;

const expected =
  (what: string, isRight: (value: unknown) => boolean): Check =>
  (value, place) => {
    if (!isRight(value))
      throw new InvalidRequestError(
        `The file is not an export of a workflow instance: "${place}" must be ${what}, but it is ${kindOf(value)}.`,
      );
  };

const text = expected('a string', (value) => typeof value === 'string');
const name = expected('a non-empty string', (value) => typeof value === 'string' && value !== '');
const count = expected(
  `a whole number from 0 to ${LARGEST_INTEGER}`,
  (value) => Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LARGEST_INTEGER,
);
const flag = expected('true or false', (value) => typeof value === 'boolean');
const method = expected(
  'a method by which an activity continues',
  (value) => typeof value === 'string' && isCallbackName(value),
);
const date = expected('a date', (value) => value instanceof Date && !Number.isNaN(value.getTime()));
const object = expected('an object', isObject);
const list = expected('a list', Array.isArray);
const oneOf = (values: Readonly<Record<string, string>>): Check =>
  expected(`one of ${Object.values(values).join(', ')}`, (value) => Object.values(values).includes(value as string));

const optional =
  (check: Check): Check =>
  (value, place) => {
    if (value !== undefined && value !== null) check(value, place);
  };

const each =
  (check: Check): Check =>
  (value, place) => {
    list(value, place);
    for (const [index, item] of (value as unknown[]).entries()) check(item, `${place}[${index}]`);
  };

const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value, place) => {
    object(value, place);
    for (const [member, check] of Object.entries(checks))
      check((value as Record<string, unknown>)[member], place === '' ? member : `${place}.${member}`);
  };

const bookmark = members({
  id: name,
  name,
  hash: text,
  activityId: text,
  activityNodeId: text,
  activityInstanceId: text,
  createdAt: date,
  dueAt: optional(date),
  callbackMethodName: optional(method),
  metadata: optional(object),
});

const context = members({
  id: name,
  parentContextId: optional(text),
  scheduledActivityNodeId: text,
  ownerActivityNodeId: optional(text),
  properties: optional(object),
  metadata: optional(object),
  activityState: optional(object),
  dynamicVariables: optional(each(object)),
  status: oneOf(ActivityStatus),
  startedAt: date,
  completedAt: optional(date),
});

const incident = members({
  activityId: text,
  activityNodeId: text,
  activityType: text,
  message: text,
  exception: optional(object),
  timestamp: date,
});

const state = members({
  id: name,
  definitionId: name,
  definitionVersionId: name,
  definitionVersion: count,
  parentWorkflowInstanceId: optional(text),
  correlationId: optional(text),
  name: optional(text),
  isSystem: flag,
  isExecuting: flag,
  status: oneOf(WorkflowStatus),
  subStatus: oneOf(WorkflowSubStatus),
  bookmarks: each(bookmark),
  incidents: each(incident),
  completionCallbacks: each(members({ ownerInstanceId: text, childNodeId: text, methodName: optional(method) })),
  activityExecutionContexts: each(context),
  scheduledActivities: each(members({ activityNodeId: text, ownerContextId: optional(text) })),
  executionLogSequence: count,
  activityExecutionCount: count,
  input: object,
  output: object,
  properties: object,
  createdAt: date,
  updatedAt: date,
  finishedAt: optional(date),
});

const entry = members({
  sequence: count,
  activityInstanceId: text,
  activityId: text,
  activityType: text,
  activityNodeId: text,
  timestamp: date,
  eventName: text,
  message: optional(text),
  source: optional(text),
  payload: optional(object),
});

const record = members({
  id: name,
  activityId: text,
  activityNodeId: text,
  activityType: text,
  activityState: optional(object),
  payload: optional(object),
  outputs: optional(object),
  exception: optional(object),
  startedAt: date,
  completedAt: optional(date),
  status: oneOf(ActivityStatus),
});

/** Which sub-statuses belong to a status. */
const SUB_STATUSES: Readonly<Record<WorkflowStatus, readonly WorkflowSubStatus[]>> = {
  Running: ['Pending', 'Executing', 'Suspended', 'Interrupted'],
  Finished: ['Finished', 'Cancelled', 'Faulted'],
};

/** An instance that has ended for some of its columns, and not for others, would neither be continued nor deleted after its retention. */
function requireOneStatus({ status, subStatus, finishedAt }: WorkflowState): void {
  const known = SUB_STATUSES[status];
  expected(`one of ${known.join(', ')}, as "status" is ${status}`, () => known.includes(subStatus))(
    subStatus,
    'subStatus',
  );
  expected('left out, as "status" is Running', () => status === 'Finished' || !finishedAt)(finishedAt, 'finishedAt');
}

/**
 * What stores and the engine compute with has the types that they rely on; anything else would fail them later, in the
 * middle of a burst.
 * @throws InvalidRequestError naming the place
 */
export function requireInstance({ state: given, journal }: ImportedInstance): void {
  state(given, '');
  requireOneStatus(given);
  each(entry)(journal.log, 'workflowExecutionLogRecords');
  each(record)(journal.records, 'activityExecutionRecords');
}
