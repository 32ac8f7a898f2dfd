import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { get, send } from './request.js';

/** One line of the audit trail. */
export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actorKind: AuditActorKind;
  readonly actor?: string;
  /** Such as `definitions.publish`. */
  readonly action: string;
  readonly targetKind?: string;
  /** Of the targets, as far as they were named. */
  readonly targetIds: readonly string[];
  readonly targetCount: number;
  readonly outcome: AuditOutcome;
  readonly code?: string;
  readonly address?: string;
  readonly userAgent?: string;
  readonly requestId?: string;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

export type AuditActorKind = 'User' | 'ApiKey' | 'Link' | 'Anonymous' | 'Application';
export type AuditOutcome = 'Succeeded' | 'Refused' | 'Failed';

/** All of which have to hold. */
export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly actorKind?: AuditActorKind | undefined;
  readonly action?: string | undefined;
  readonly targetKind?: string | undefined;
  readonly targetId?: string | undefined;
  readonly outcome?: AuditOutcome | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

interface AuditPage {
  readonly items: readonly AuditEntry[];
  /** Where the next page begins; none: this was the last one. */
  readonly next?: string;
}

const PAGE_SIZE = 50;
/** Of one millisecond there may be several. */
const MOST_AT_ONCE = 200;

export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: ({ signal, pageParam }) =>
      get<AuditPage>('audit', { query: { ...filter, limit: PAGE_SIZE, after: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });

/** One entry, which is found by its time; `null` when there is none, such as one that was removed by now. */
export const auditEntryQuery = (id: string, at: string) =>
  queryOptions({
    queryKey: ['audit', 'one', id],
    queryFn: async ({ signal }) => {
      const from = new Date(at);
      const to = new Date(from.getTime() + 1);
      const query = { from: from.toISOString(), to: to.toISOString(), limit: MOST_AT_ONCE };
      const { items } = await get<AuditPage>('audit', { query, signal });
      return items.find((entry) => entry.id === id) ?? null;
    },
    // Entries do not change.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** All entries that match, as a file. */
export const exportAudit = (filter: AuditFilter, format: 'csv' | 'ndjson'): Promise<Response> =>
  send('GET', 'audit/export', { query: { ...filter, format } });
