import { InvalidRequestError } from '../answers/api-errors.js';
import * as read from './readers.js';

const errorsOf = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    return (error as InvalidRequestError).errors;
  }
};

describe('readers', () => {
  const request = read.members({
    page: read.integer,
    isSystem: read.flag,
    orderBy: read.oneOf(['Name', 'Created', 'Version']),
    ids: read.list(read.name),
    filters: read.list(read.members({ operator: read.required(read.oneOf(['Is', 'IsNot'])) })),
    versionOptions: read.versionOptions,
  });

  it('matches names and enum values in any casing and ignores unknown members', () => {
    expect(
      request(
        { PAGE: '3', issystem: 'True', OrderBy: 'created', ids: 'a', nonsense: {}, VersionOptions: 'latest' },
        '',
      ),
    ).toEqual({
      page: 3,
      isSystem: true,
      orderBy: 'Created',
      ids: ['a'],
      filters: undefined,
      versionOptions: 'Latest',
    });
  });

  it('takes names as they are, and what people type without blanks around it', () => {
    const both = read.members({ id: read.name, name: read.typed, searchTerm: read.searchTerm });
    expect(both({ id: ' a ', name: ' a ', searchTerm: ' a ' }, '')).toEqual({ id: ' a ', name: 'a', searchTerm: 'a' });
    expect(both({ id: ' ', name: ' ', searchTerm: ' ' }, '')).toEqual({});
  });

  it('refuses texts that are too long for databases before they are queried', () => {
    const search = read.members({ searchTerm: read.searchTerm, id: read.nameUpTo(255) });
    expect(search({ searchTerm: ` ${'x'.repeat(10_000)} `, id: 'a' }, '').searchTerm).toHaveLength(10_000);
    expect(errorsOf(() => search({ searchTerm: 'x'.repeat(10_001), id: 'x'.repeat(256) }, ''))).toEqual({
      searchTerm: ["'searchTerm' must have 10000 characters or less, but it has 10001."],
      id: ["'id' must have 255 characters or less, but it has 256."],
    });
  });

  it('refuses more names than a database statement can contain', () => {
    const byIds = read.members({ ids: read.names });
    const ids = Array.from({ length: 10_001 }, (_, i) => `id-${i}`);
    expect(byIds({ ids: ids.slice(1) }, '').ids).toHaveLength(10_000);
    expect(errorsOf(() => byIds({ ids }, ''))).toEqual({
      ids: ["'ids' must have 10000 members or fewer, but it has 10001."],
    });
  });

  it('takes enum values as numbers, also in quotes', () => {
    expect(request({ orderBy: 2 }, '').orderBy).toBe('Version');
    expect(request({ orderBy: '0' }, '').orderBy).toBe('Name');
  });

  it('treats null as missing', () => {
    expect(request({ page: null, ids: null }, '')).toMatchObject({ page: undefined, ids: undefined });
  });

  it('ignores inherited members', () => {
    expect(read.members({ constructor: read.anything })({}, '')).toEqual({ constructor: undefined });
  });

  it('reports all mistakes, each under the path of its member', () => {
    const errors = errorsOf(() =>
      request({ page: 'abc', orderBy: 'Nope', filters: [{ operator: 'Is' }, { operator: 'Near' }] }, ''),
    );
    expect(Object.keys(errors as object)).toEqual(['page', 'orderBy', 'filters[1].operator']);
  });

  it('names the whole document as Elsa does', () => {
    expect(Object.keys(errorsOf(() => request([], '')) as object)).toEqual(['serializerErrors']);
  });

  it('requires what is required', () => {
    const login = read.members({ username: read.required(read.text), password: read.required(read.text) });
    expect(Object.keys(errorsOf(() => login({ username: '' }, '')) as object)).toEqual(['username', 'password']);
  });

  it('reports at most a hundred mistakes', () => {
    const errors = errorsOf(() => read.list(read.text)(Array(1000).fill(1), 'ids')) as object;
    expect(Object.keys(errors)).toHaveLength(100);
  });

  it('reads dates with more digits than JavaScript knows, and without zone as UTC', () => {
    expect(read.date('2026-08-01T10:11:12.1234567+02:00', 'd')).toEqual(new Date('2026-08-01T08:11:12.123Z'));
    expect(read.date('2026-08-01T10:11:12', 'd')).toEqual(new Date('2026-08-01T10:11:12Z'));
    expect(Object.keys(errorsOf(() => read.date('tomorrow', 'd')) as object)).toEqual(['d']);
  });
});
