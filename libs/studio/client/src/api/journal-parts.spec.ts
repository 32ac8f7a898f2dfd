import { followsState, JOURNAL_HEAD, journalPart } from './journal-parts.js';

describe('what is asked for again when an instance has gone on', () => {
  const page = (number: number, pageSize: number, items: number) => ({
    queryKey: ['instances', 'i', ...journalPart(number, pageSize)],
    state: { data: { items: Array.from({ length: items }) } },
  });
  const other = (...key: unknown[]) => ({ queryKey: ['instances', 'i', ...key], state: {} });

  it('is all that is known of it but its state, which told', () => {
    expect([other('nodes'), other('executions'), other('state')].map(followsState)).toEqual([true, true, false]);
  });

  it('is of its journal what can grow: the last page, and the one that says how many entries there are', () => {
    expect([page(0, 500, 500), page(3, 500, 500), page(3, 100, 100)].map(followsState)).toEqual([false, false, false]);
    expect(followsState(page(4, 500, 499))).toBe(true);
    const { page: first, pageSize } = JOURNAL_HEAD;
    expect(followsState(page(first, pageSize, pageSize))).toBe(true);
  });

  it('is an unknown page of its journal', () => {
    const { queryKey } = page(1, 500, 0);
    expect(followsState({ queryKey, state: {} })).toBe(true);
  });
});
