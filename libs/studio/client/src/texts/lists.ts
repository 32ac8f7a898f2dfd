import type { Total } from '../api/definitions.js';

/** With separators of thousands. */
export const number = (count: number): string => count.toLocaleString('en');

const count = ({ totalCount, isTotalLowerBound }: Total): string =>
  `${totalCount.toLocaleString('en')}${isTotalLowerBound ? '+' : ''}`;

/** Counts that end at a number. */
const countUpTo = (found: number, most: number): string => `${found.toLocaleString('en')}${found >= most ? '+' : ''}`;

/** What every list says. */
export const listTexts = {
  damaged: 'Damaged',
  pages: 'Pages',
  /** `10,000+` where there are more than were counted. */
  count,
  countUpTo,
  range: (from: number, to: number, total: Total) => `${from}–${to} of ${count(total)}`,
  previous: 'Previous page',
  next: 'Next page',
  filters: 'Filters',
  clearFilters: 'Clear filters',
  selected: (count: number) => `${count.toLocaleString('en')} selected`,
  selectMatching: (count: number) => `Select all ${count.toLocaleString('en')} that match`,
  selectFirst: (count: number) => `Select the first ${count.toLocaleString('en')} that match`,
  doneOf: (done: number, of: number) => `${done.toLocaleString('en')} of ${of.toLocaleString('en')} done …`,
  clearSelection: 'Clear the selection',
  search: 'Search',
} as const;
