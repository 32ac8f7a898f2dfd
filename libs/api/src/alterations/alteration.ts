import { InvalidRequestError } from '../answers/api-errors.js';
import { isObject, memberOf, type JsonObject } from '../requests/json-values.js';
import * as read from '../requests/readers.js';

/** Names an activity: one execution of it, or all by its id in the definition. */
export interface ActivityTarget {
  readonly activityId?: string | undefined;
  readonly activityInstanceId?: string | undefined;
}

/** A repair of a running or faulted instance. */
export type Alteration =
  | { readonly type: 'Migrate'; readonly targetVersion: number }
  | { readonly type: 'ModifyVariable'; readonly variableId: string; readonly value?: unknown }
  | ({ readonly type: 'ScheduleActivity' } & ActivityTarget)
  | ({ readonly type: 'CancelActivity' } & ActivityTarget)
  | { readonly type: 'Cancel' };

const target: read.Reader<ActivityTarget> = (value, path) => {
  const found = activity(value, path);
  if (found.activityId !== undefined || found.activityInstanceId !== undefined) return found;
  throw InvalidRequestError.at(path, `'${path}' names no activity: give activityId or activityInstanceId.`);
};
const activity = read.members({ activityId: read.name, activityInstanceId: read.name });

const MEMBERS = {
  Migrate: read.members({ targetVersion: read.required(read.integer) }),
  ModifyVariable: read.members({ variableId: read.required(read.name), value: read.anything }),
  ScheduleActivity: target,
  CancelActivity: target,
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
      `${JSON.stringify(given ?? null)} is no type of alteration. Known are ${TYPES.join(', ')}.`,
    );
  return { type, ...MEMBERS[type](value, path) } as Alteration;
};

export const readAlterations = read.required(read.list(readAlteration));

export interface AlterationLogEntry {
  readonly message: string;
  readonly logLevel: 'Information' | 'Error';
  readonly timestamp: Date;
  readonly eventName: string;
}

/** What alterations of one instance came to. */
export interface AlterationResult {
  readonly workflowInstanceId: string;
  readonly log: { readonly logEntries: readonly AlterationLogEntry[] };
  readonly workflowHasScheduledWork: boolean;
  readonly isSuccessful: boolean;
}

/** As a client gave it: what is stored of a plan. */
export type AlterationJson = JsonObject;
