import type { AuditActorKind, AuditOutcome } from '@waymark/runtime';
import type { AuditEntry } from '@waymark/runtime/adapter';
import type { Row } from '../database/statement.js';
import { columnMap } from '../rows/column-map.js';
import { toText } from '../rows/column-values.js';
import { parseStored } from '../rows/parse-stored.js';
import { date, optionalText, text } from '../rows/member-columns.js';

/** What no query asks for, as one text. */
type AuditData = Pick<
  AuditEntry,
  'targetIds' | 'targetCount' | 'code' | 'address' | 'userAgent' | 'requestId' | 'details'
>;

export const ENTRY = columnMap<Omit<AuditEntry, 'unreadable'>>()({
  id: text('id'),
  occurred_at: date('at'),
  actor_kind: {
    members: ['actorKind'],
    write: ({ actorKind }) => actorKind,
    read: (value, entry) => {
      entry.actorKind = toText(value) as AuditActorKind;
    },
  },
  actor: optionalText('actor'),
  action: text('action'),
  target_kind: optionalText('targetKind'),
  outcome: {
    members: ['outcome'],
    write: ({ outcome }) => outcome,
    read: (value, entry) => {
      entry.outcome = toText(value) as AuditOutcome;
    },
  },
  data: {
    members: ['targetIds', 'targetCount', 'code', 'address', 'userAgent', 'requestId', 'details'],
    write: ({ targetIds, targetCount, code, address, userAgent, requestId, details }) =>
      JSON.stringify({ targetIds, targetCount, code, address, userAgent, requestId, details } satisfies AuditData),
    read: (value, entry) => {
      Object.assign(entry, parseStored(toText(value)) as AuditData);
    },
  },
});

/** A damaged entry must not keep the others away: its columns say who did what. */
export function toEntry(row: Row): AuditEntry {
  const entry = ENTRY.listed(row);
  return entry.unreadable ? { ...entry, targetIds: [], targetCount: 0, details: {} } : entry;
}

/** An entry stands in the table of targets once for each id that it names. */
export const TARGET_COLUMNS = ['target_id', 'entry_at', 'entry_id'] as const;

export const targetRows = ({ id, at, targetIds }: AuditEntry): [string, number, string][] =>
  [...new Set(targetIds)].map((targetId) => [targetId, at.getTime(), id]);
