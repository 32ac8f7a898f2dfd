import { listOf, pageOf, parseSearch, stringifySearch } from './search-params.js';

describe('the query of an address', () => {
  it('is read as it was written', () => {
    const search = { q: 'Mia & Tom', status: ['Faulted', 'Suspended'], page: '3' };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });

  it('leaves out what is not set', () => {
    expect(stringifySearch({ q: '', status: [], page: undefined })).toBe('');
  });

  it('takes known values only', () => {
    expect(listOf(['Faulted', 'Nonsense'], ['Faulted', 'Finished'])).toEqual(['Faulted']);
    expect(listOf('Nonsense', ['Faulted'])).toBeUndefined();
    expect([pageOf('2'), pageOf('1'), pageOf('-3'), pageOf('x')]).toEqual([2, undefined, undefined, undefined]);
  });
});
