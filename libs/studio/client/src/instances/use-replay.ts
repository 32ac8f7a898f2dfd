import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type JournalEntry, journalPageQuery } from '../api/instance-records.js';
import type { NodeState } from '../graph/workflow-graph.js';
import { statesAfter } from './replay-states.js';
import { JOURNAL_PAGE } from './use-journal.js';

/** A step needs everything before it: few large pages. */
const REPLAY_PAGE = 500;

export interface Replay {
  readonly step: number;
  readonly totalCount: number;
  /** The entry that happened last at this step. */
  readonly entry: JournalEntry | undefined;
  /** `undefined` while the entries before it are being loaded. */
  readonly states: ReadonlyMap<string, NodeState> | undefined;
}

/** An instance as it was after so many entries of its journal; `undefined` without a step. */
export function useReplay(instanceId: string, wanted: number | undefined): Replay | undefined {
  const head = useQuery(journalPageQuery(instanceId, 0, JOURNAL_PAGE));
  const totalCount = head.data?.totalCount ?? 0;
  const step = wanted === undefined ? 0 : Math.min(Math.max(1, wanted), totalCount);
  const pages = Array.from({ length: Math.ceil(step / REPLAY_PAGE) }, (_, page) => page);
  const entries = useQueries({
    queries: pages.map((page) => journalPageQuery(instanceId, page, REPLAY_PAGE)),
    combine: (loaded) =>
      loaded.every(({ data }) => data !== undefined) ? loaded.flatMap(({ data }) => data!.items) : undefined,
  });
  const states = useMemo(() => entries && statesAfter(entries.slice(0, step)), [entries, step]);
  if (wanted === undefined || totalCount === 0) return undefined;
  return { step, totalCount, entry: entries?.[step - 1], states };
}
