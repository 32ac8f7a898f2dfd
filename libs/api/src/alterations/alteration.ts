import type { ActivityTarget, Alteration } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { isObject, memberOf } from '../requests/json-values.js';
import * as read from '../requests/readers.js';
import { readMigration } from './migration.js';

const target: read.Reader<ActivityTarget> = (value, path) => {
  const found = activity(value, path);
  if (found.activityId !== undefined || found.activityInstanceId !== undefined) return found;
  throw InvalidRequestError.at(path, `'${path}' names no activity: give activityId or activityInstanceId.`);
};
const activity = read.members({ activityId: read.name, activityInstanceId: read.name });

const outcomes = read.members({ outcomes: read.list(read.text) });
const skipped: read.Reader<ActivityTarget> = (value, path) => ({ ...target(value, path), ...outcomes(value, path) });

const MEMBERS = {
  Migrate: readMigration,
  UndoMigration: read.members({}),
  ModifyVariable: read.members({ variableId: read.required(read.name), value: read.anything }),
  ScheduleActivity: target,
  CancelActivity: target,
  SkipActivity: skipped,
  Cancel: read.members({}),
} as const;

const TYPES = Object.keys(MEMBERS) as (keyof typeof MEMBERS)[];

/** @throws InvalidRequestError naming the place in the list */
export const readAlteration: read.Reader<Alteration> = (value, path) => {
  const given = isObject(value) ? memberOf(value, 'type') : undefined;
  const type = TYPES.find((t) => t === given);
  if (!type)
    throw InvalidRequestError.at(
      path,
      `${JSON.stringify(given ?? null)} is not a type of alteration. Known are ${TYPES.join(', ')}.`,
    );
  return { type, ...MEMBERS[type](value, path) } as Alteration;
};

export const readAlterations = read.required(read.list(readAlteration));
