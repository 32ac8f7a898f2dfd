import {
  type AuditActorKind,
  type AuditDetails,
  type AuditOutcome,
  MAX_AUDIT_TARGETS,
} from '../persistence/audit-store.js';
import { InvalidAuditRecordError } from './audit-errors.js';

/** An entry to record. Texts that are too long are truncated, and control characters are removed. */
export interface AuditRecord {
  /**
   * Name of the action: lower-case words separated by dots, beginning with the subject, such as `invoices.approve`; up to 100
   * characters. Those of the management API are listed in its documentation.
   */
  readonly action: string;
  /** Name of the actor, up to 200 characters. @default none */
  readonly actor?: string | undefined;
  /** Kind of actor. @default 'Application' */
  readonly actorKind?: AuditActorKind | undefined;
  /** Kind of the targets, up to 100 characters. @default none */
  readonly targetKind?: string | undefined;
  /** Ids of the targets, up to 255 characters each; the first 100 are kept. @default [] */
  readonly targetIds?: readonly string[] | undefined;
  /** Number of targets, if not all of them are named. @default the number of ids */
  readonly targetCount?: number | undefined;
  /** Result of the action. @default 'Succeeded' */
  readonly outcome?: AuditOutcome | undefined;
  /** Code of the error, up to 100 characters. @default none */
  readonly code?: string | undefined;
  /** Address of the client, up to 100 characters. @default none */
  readonly address?: string | undefined;
  /** User agent of the client, up to 120 characters. @default none */
  readonly userAgent?: string | undefined;
  /** Id of the request, up to 128 characters. @default none */
  readonly requestId?: string | undefined;
  /** Up to 10 details, with texts of up to 200 characters. Members without a value are left out. @default none */
  readonly details?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
}

const ACTION = /^(?=.{1,100}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;
const MOST_DETAILS = 10;

/** What a record becomes in an entry: bounded, whatever a stranger has sent. @throws InvalidAuditRecordError */
export function boundedRecord(record: AuditRecord) {
  const { action, targetKind, targetIds = [], outcome = 'Succeeded', actorKind = 'Application' } = record;
  if (!ACTION.test(action))
    throw new InvalidAuditRecordError(
      'action',
      'lower-case words with dots between them, such as invoices.approve, of 100 characters at most',
    );
  const { targetCount = targetIds.length } = record;
  if (!Number.isSafeInteger(targetCount) || targetCount < 0)
    throw new InvalidAuditRecordError('targetCount', 'a whole number of 0 or more');
  return {
    actorKind,
    actor: shortened(record.actor, 200),
    action,
    targetKind: shortened(targetKind, 100),
    targetIds: targetIds.slice(0, MAX_AUDIT_TARGETS).map((id) => shortened(id, 255) ?? ''),
    targetCount,
    outcome,
    code: shortened(record.code, 100),
    address: shortened(record.address, 100),
    userAgent: shortened(record.userAgent, 120),
    requestId: shortened(record.requestId, 128),
    details: detailsOf(record.details ?? {}),
  };
}

function detailsOf(given: NonNullable<AuditRecord['details']>): AuditDetails {
  const details: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(given).slice(0, MOST_DETAILS)) {
    if (value === undefined || name === '__proto__') continue;
    if (typeof value === 'string') details[shortened(name, 50) ?? ''] = shortened(value, 200) ?? '';
    else if (typeof value === 'boolean' || Number.isFinite(value)) details[shortened(name, 50) ?? ''] = value;
    else throw new InvalidAuditRecordError(`details.${name}`, 'a string, a finite number, true or false');
  }
  return details;
}

/** What moves the cursor or has no form in a database: control characters, marks of direction, halves of pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

function shortened(text: string | undefined, most: number): string | undefined {
  if (text === undefined) return undefined;
  const plain = text.slice(0, 2 * most).replaceAll(UNPRINTABLE, '\ufffd');
  if (plain.length <= most && text.length <= 2 * most) return plain;
  // By characters: half of one is none.
  return `${Array.from(plain)
    .slice(0, most - 1)
    .join('')
    .slice(0, most - 1)
    .replace(/[\ud800-\udbff]$/, '')}…`;
}
