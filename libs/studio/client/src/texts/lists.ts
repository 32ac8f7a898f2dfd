/** What every list says. */
export const listTexts = {
  pages: 'Pages',
  range: (from: number, to: number, total: number) => `${from}–${to} of ${total.toLocaleString('en')}`,
  previous: 'Previous page',
  next: 'Next page',
  filters: 'Filters',
  clearFilters: 'Clear filters',
  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear the selection',
  search: 'Search',
} as const;
