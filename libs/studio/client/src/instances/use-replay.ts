import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type JournalEntry, journalPageQuery } from '../api/instance-records.js';
import { JOURNAL_HEAD } from '../api/journal-parts.js';
import type { NodeState } from '../graph/workflow-graph.js';
import { statesAfter } from './replay-states.js';

/** A step needs everything before it: few large pages. */
const REPLAY_PAGE = 500;
/** Of a journal of a hundred thousand entries there are two hundred. */
const AT_ONCE = 3;

export interface Replay {
  readonly step: number;
  readonly totalCount: number;
  /** The entry that happened last at this step. */
  readonly entry: JournalEntry | undefined;
  /** `undefined` while the entries before it are being loaded. */
  readonly states: ReadonlyMap<string, NodeState> | undefined;
}

interface Loaded {
  readonly data: { readonly items: readonly JournalEntry[] } | undefined;
}

/** All entries once each page is there, until then how many are. */
const joined = (pages: readonly Loaded[]): readonly JournalEntry[] | number => {
  const loaded = pages.filter(({ data }) => data !== undefined);
  return loaded.length === pages.length ? loaded.flatMap(({ data }) => data!.items) : loaded.length;
};

/** An instance as it was after so many entries of its journal; `undefined` without a step. */
export function useReplay(instanceId: string, wanted: number | undefined): Replay | undefined {
  const client = useQueryClient();
  const head = useQuery(journalPageQuery(instanceId, JOURNAL_HEAD.page, JOURNAL_HEAD.pageSize));
  const totalCount = head.data?.totalCount ?? 0;
  const step = wanted === undefined ? 0 : Math.min(Math.max(1, wanted), totalCount);
  const pages = Array.from({ length: Math.ceil(step / REPLAY_PAGE) }, (_, page) =>
    journalPageQuery(instanceId, page, REPLAY_PAGE),
  );
  // A page that is there stays active: the last one grows.
  let missing = 0;
  const queries = pages.map((query) => {
    if (client.getQueryData(query.queryKey) === undefined) missing += 1;
    return { ...query, enabled: missing <= AT_ONCE };
  });
  const result = useQueries({ queries, combine: joined });
  const entries = typeof result === 'number' ? undefined : result;
  const states = useMemo(() => entries && statesAfter(entries.slice(0, step)), [entries, step]);
  if (wanted === undefined || totalCount === 0) return undefined;
  return { step, totalCount, entry: entries?.[step - 1], states };
}
