import type { Total } from '../api/definitions.js';

const count = ({ totalCount, isTotalLowerBound }: Total): string =>
  `${totalCount.toLocaleString('en')}${isTotalLowerBound ? '+' : ''}`;

/** Counts that end at a number. */
const countUpTo = (found: number, most: number): string => `${found.toLocaleString('en')}${found >= most ? '+' : ''}`;

/** What every list says. */
export const listTexts = {
  pages: 'Pages',
  /** `10,000+` where there are more than were counted. */
  count,
  countUpTo,
  range: (from: number, to: number, total: Total) => `${from}–${to} of ${count(total)}`,
  previous: 'Previous page',
  next: 'Next page',
  filters: 'Filters',
  clearFilters: 'Clear filters',
  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear the selection',
  search: 'Search',
} as const;
