import type { AuditActorKind, AuditFilter, AuditOutcome } from '../api/audit.js';
import { oneOf, textOf } from '../app/search-params.js';

export const actorKinds: readonly AuditActorKind[] = ['User', 'ApiKey', 'Link', 'Anonymous', 'Application'];
export const outcomes: readonly AuditOutcome[] = ['Succeeded', 'Refused', 'Failed'];

/** What the address of the audit trail says. */
export interface AuditSearch {
  readonly actor?: string | undefined;
  readonly kind?: AuditActorKind | undefined;
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The entry that is looked at. */
  readonly entry?: string | undefined;
  /** When that was: the list may have gone on since the address was copied. */
  readonly at?: string | undefined;
}

export const auditSearch = (search: Record<string, unknown>): AuditSearch => ({
  actor: textOf(search.actor),
  kind: oneOf(search.kind, actorKinds),
  action: textOf(search.action),
  target: textOf(search.target),
  outcome: oneOf(search.outcome, outcomes),
  from: textOf(search.from),
  to: textOf(search.to),
  entry: textOf(search.entry),
  at: textOf(search.at),
});

/** What the address filters by, in the words of the API. A time without a zone is of the reader's. */
export const auditFilter = ({ actor, kind, action, target, outcome, from, to }: AuditSearch): AuditFilter => ({
  actor,
  actorKind: kind,
  action,
  targetId: target,
  outcome,
  from: moment(from),
  to: moment(to),
});

function moment(text: string | undefined): string | undefined {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
