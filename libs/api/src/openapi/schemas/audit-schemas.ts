import { AuditActorKind, AuditOutcome } from '@waymark/runtime';
import { date, integer, listOf, mapOf, object, oneOf, ref, type Schemas, text } from './words.js';

/** Of the audit trail. */
export const AUDIT_SCHEMAS: Schemas = {
  AuditEntry: object({
    id: text,
    at: date,
    actorKind: oneOf(Object.values(AuditActorKind)),
    'actor?': text,
    action: text,
    'targetKind?': text,
    targetIds: listOf(text),
    targetCount: integer,
    outcome: oneOf(Object.values(AuditOutcome)),
    'code?': text,
    'address?': text,
    'userAgent?': text,
    'requestId?': text,
    details: mapOf({ oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] }),
    'unreadable?': ref('UnreadableRow'),
  }),
};
