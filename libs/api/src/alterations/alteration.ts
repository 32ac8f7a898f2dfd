import type { OpenApiSchema, ActivityTarget, Alteration } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { isObject, memberOf } from '../requests/json-values.js';
import { shaped, shapeOf, shapeOfMembers } from '../requests/reader-schemas.js';
import * as read from '../requests/readers.js';
import { requireNoMark } from '../requests/redaction-mark.js';
import { readMigration } from './migration.js';

const ACTIVITY = { activityId: read.name, activityInstanceId: read.name };
const ONLY_FAULTED = { onlyFaulted: read.flag };
const OUTCOMES = { ...ONLY_FAULTED, outcomes: read.list(read.text) };
const activity = read.members(ACTIVITY);
const target: read.Reader<ActivityTarget> = shaped(shapeOf(activity), (value: unknown, path: string) => {
  const found = activity(value, path);
  if (found.activityId !== undefined || found.activityInstanceId !== undefined) return found;
  throw InvalidRequestError.at(path, `'${path}' does not identify an activity: give activityId or activityInstanceId.`);
});

const onlyFaulted = read.members(ONLY_FAULTED);
const scheduled: read.Reader<ActivityTarget> = shaped(
  shapeOfMembers({ ...ACTIVITY, ...ONLY_FAULTED }),
  (value: unknown, path: string) => ({ ...target(value, path), ...onlyFaulted(value, path) }),
);

const outcomes = read.members(OUTCOMES);
const skipped: read.Reader<ActivityTarget> = shaped(
  shapeOfMembers({ ...ACTIVITY, ...OUTCOMES }),
  (value: unknown, path: string) => ({ ...target(value, path), ...outcomes(value, path) }),
);

const variable = read.members({ variableId: read.required(read.name), value: read.anything });
const modified: typeof variable = shaped(shapeOf(variable), (value: unknown, path: string) => {
  const found = variable(value, path);
  requireNoMark(found.value, `${path}.value`);
  return found;
});

const MEMBERS = {
  Migrate: readMigration,
  UndoMigration: read.members({}),
  ModifyVariable: modified,
  ScheduleActivity: scheduled,
  CancelActivity: target,
  SkipActivity: skipped,
  Cancel: read.members({}),
} as const;

const TYPES = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];

/** Each type with its members. */
const ALTERATION: OpenApiSchema = {
  oneOf: TYPES.map((type) => {
    const { properties, required = [] } = shapeOf(MEMBERS[type]).schema;
    return {
      type: 'object',
      properties: { type: { type: 'string', enum: [type] }, ...properties },
      required: ['type', ...required],
    };
  }),
};

/** @throws InvalidRequestError naming the place in the list */
const readAlteration: read.Reader<Alteration> = shaped({ schema: ALTERATION }, (value: unknown, path: string) => {
  const given = isObject(value) ? memberOf(value, 'type') : undefined;
  const type = TYPES.find((t) => t === given);
  if (!type)
    throw InvalidRequestError.at(
      path,
      `${JSON.stringify(given ?? null)} is not an alteration type. Use one of: ${TYPES.join(', ')}.`,
    );
  return { type, ...MEMBERS[type](value, path) } as Alteration;
});

/** Of one request: each is an entry of the journal of each instance. */
const MOST_ALTERATIONS = 1000;
const listed = read.required(read.list(readAlteration));

export const readAlterations: read.Reader<Alteration[]> = shaped(shapeOf(listed), (value: unknown, path: string) => {
  if (Array.isArray(value) && value.length > MOST_ALTERATIONS)
    throw InvalidRequestError.at(
      path,
      `'${path}' must have ${MOST_ALTERATIONS} members or fewer, but it has ${value.length}. Alter in several requests.`,
    );
  return listed(value, path);
});
