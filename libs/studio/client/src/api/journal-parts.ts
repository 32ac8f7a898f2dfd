import type { QueryKey } from '@tanstack/react-query';

/** Of the page of a journal that says how many entries there are, which grows while the instance runs. */
export const JOURNAL_HEAD = { page: 0, pageSize: 100 } as const;

const JOURNAL = 'journal';

/** The end of the key of a page. */
export const journalPart = (page: number, pageSize: number) => [JOURNAL, pageSize, page] as const;

interface Known {
  readonly queryKey: QueryKey;
  readonly state: { readonly data?: unknown };
}

/** If true, a page of a journal stays as it is: it is full, and what happens later follows it. */
export function isFinal({ queryKey, state }: Known): boolean {
  const at = queryKey.indexOf(JOURNAL);
  if (at < 0) return false;
  const [pageSize, page] = queryKey.slice(at + 1) as [number, number];
  if (page === JOURNAL_HEAD.page && pageSize === JOURNAL_HEAD.pageSize) return false;
  return (state.data as { readonly items: readonly unknown[] } | undefined)?.items.length === pageSize;
}

/** Of what is known of an instance, what is other when the instance has gone on; its state is read before that is known. */
export const followsState = (query: Known): boolean => !query.queryKey.includes('state') && !isFinal(query);
