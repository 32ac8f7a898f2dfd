import { useQueries, useQuery } from '@tanstack/react-query';
import { type JournalEntry, journalPageQuery } from '../api/instance-records.js';
import { JOURNAL_HEAD } from '../api/journal-parts.js';

const JOURNAL_PAGE = JOURNAL_HEAD.pageSize;

/** The parts of a journal that are on the screen: ten thousand entries cost no more than those that are looked at. */
export function useJournal(instanceId: string, first: number, last: number) {
  const head = useQuery(journalPageQuery(instanceId, 0, JOURNAL_PAGE));
  const totalCount = head.data?.totalCount ?? 0;
  const from = Math.floor(first / JOURNAL_PAGE);
  const to = Math.min(Math.floor(last / JOURNAL_PAGE), Math.max(0, Math.ceil(totalCount / JOURNAL_PAGE) - 1));
  const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const loaded = useQueries({ queries: pages.map((page) => journalPageQuery(instanceId, page, JOURNAL_PAGE)) });
  const entries = new Map<number, JournalEntry>();
  for (const [index, { data }] of loaded.entries())
    for (const [offset, entry] of (data?.items ?? []).entries())
      entries.set(pages[index]! * JOURNAL_PAGE + offset, entry);
  return { totalCount, entries, head };
}
