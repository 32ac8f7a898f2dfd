import { AuditActorKind, AuditOutcome } from '@waymark/runtime';
import { type AuditCursor } from '@waymark/runtime/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import * as read from '../requests/readers.js';

const conditions = {
  actor: read.name,
  actorKind: read.oneOf(Object.values(AuditActorKind)),
  action: read.name,
  targetKind: read.name,
  targetId: read.name,
  outcome: read.oneOf(Object.values(AuditOutcome)),
  from: read.date,
  to: read.date,
};

export const listRequest = read.members({ ...conditions, limit: read.integerFrom(1), after: read.name });
export type ListRequest = read.ReadBy<typeof listRequest>;

export const AUDIT_FORMATS = ['ndjson', 'csv'] as const;
export const exportRequest = read.members({ ...conditions, format: read.oneOf(AUDIT_FORMATS) });
export type ExportRequest = read.ReadBy<typeof exportRequest>;

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 1000;

/** @throws InvalidRequestError */
export function limitOf(limit: number | undefined): number {
  if (limit === undefined || limit <= MAX_LIMIT) return limit ?? DEFAULT_LIMIT;
  throw InvalidRequestError.at(
    'limit',
    `'limit' must be ${MAX_LIMIT} or less, but it is ${limit}. Request one page at a time.`,
  );
}

/** Where the next page begins, as clients hand it back. */
export const cursorText = ({ at, id }: AuditCursor): string => `${at.getTime()}.${id}`;

/** @throws InvalidRequestError */
export function cursorOf(text: string | undefined): AuditCursor | undefined {
  if (text === undefined) return undefined;
  const [, time, id] = /^(\d{1,15})\.(.{1,255})$/s.exec(text) ?? [];
  if (time === undefined || id === undefined)
    throw InvalidRequestError.at('after', "'after' must be the 'next' of a previous answer.");
  return { at: new Date(Number(time)), id };
}
