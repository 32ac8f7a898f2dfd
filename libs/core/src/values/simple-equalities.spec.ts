import { simpleEqualities } from './simple-equalities.js';
import { decodeValue, deserialize } from './storage-codec.js';

const textOf = (json: unknown, referentialEqualities: unknown, values?: unknown): string =>
  JSON.stringify({ json, meta: { values, referentialEqualities, v: 1 } });

describe('values that stand in several places', () => {
  const branches = () => ({ list: [{ a: [1], at: '2026-01-01T00:00:00.000Z' }, { a: null }, { a: null }], b: null });

  it('values that stand in several places are the same object in all of them', () => {
    const text = textOf(branches(), { 'list.0.a': ['list.1.a', 'list.2.a'] }, { list: { 0: { at: ['Date'] } } });
    const { list } = deserialize<{ list: { a: unknown; at?: Date }[] }>(text);
    expect(list).toEqual([{ a: [1], at: new Date('2026-01-01T00:00:00.000Z') }, { a: [1] }, { a: [1] }]);
    expect(list[1]!.a).toBe(list[0]!.a);
    expect(list[2]!.a).toBe(list[0]!.a);
  });

  it.each([
    ['in order', { 'list.0.a': ['list.1.a'], 'list.1.a': ['list.2.a'] }],
    ['of a place that was one of several itself', { 'list.1.a': ['list.2.a'], 'list.0.a': ['list.1.a'] }],
    ['none', {}],
    ['of places within others', { 'list.0': ['list.1'], 'list.1.a': ['list.2.a'] }],
    [
      'that lead through a place yet to be put there',
      { 'list.0.a': ['list.1.a'], 'list.0': ['b'], 'b.a': ['list.2.a'] },
    ],
    ['of names with dots', { 'list.0.a': ['list.1.x\\.y'] }],
    ['of the root', [['b']]],
  ])('values that stand in several places are what the codec makes of notes %s', (_what, notes) => {
    const text = textOf(branches(), notes);
    const whole = (make: () => unknown): unknown => {
      try {
        return JSON.stringify(make());
      } catch (error) {
        return (error as Error).name;
      }
    };
    expect(whole(() => deserialize(text))).toEqual(whole(() => decodeValue(JSON.parse(text))));
  });

  it.each([
    ['of another form', ['list.0.a']],
    ['with a backslash', { 'list.0.a': ['list.1.x\\.y'] }],
    ['of different depth', { 'list.0': ['b'] }],
    ['of a place that is not there', { 'list.0.a': ['list.9.a'] }],
    ['within a text', { 'list.0.at.x': ['list.1.a.x'] }],
    ['about a prototype', JSON.parse('{"__proto__.x":["list.0"]}')],
    ['that name no places', { 'list.0.a': 'list.1.a' }],
    ['of the length of a list', { 'list.0': ['list.length'] }],
    ['with places that are no texts', { 'list.0.a': [1] }],
  ])(
    'values that stand in several places are left to the codec for notes %s, and nothing is changed',
    (_what, notes) => {
      const value = branches();
      expect(simpleEqualities(value, notes)).toBeUndefined();
      expect(value).toEqual(branches());
    },
  );
});
