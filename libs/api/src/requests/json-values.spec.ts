import { dateOf, memberOf, membersOf } from './json-values.js';

const objects: readonly unknown[] = [
  { a: 1, A: 2, bC: 3, Bc: 4 },
  { B: 1, b: 2 },
  JSON.parse('{"__proto__":1,"Constructor":2}'),
  [1],
  null,
  'text',
];

it.each(objects)('members of %j are found in any casing, together and one by one', (object) => {
  const members = membersOf(object);
  for (const name of ['a', 'A', 'bc', 'BC', 'b', '__proto__', 'constructor', 'toString', 'length', '0', ''])
    expect([name, members(name)]).toEqual([name, memberOf(object, name)]);
});

it.each([
  ['2026-08-01T10:11:12.1234567+02:00', '2026-08-01T08:11:12.123Z'],
  ['2026-08-01T10:11:12', '2026-08-01T10:11:12.000Z'],
  ['2026-08-01', '2026-08-01T00:00:00.000Z'],
  ['2026-08-01T10:11:12+99:99', undefined],
  ['2026-08-01 10:11:12 +9999', undefined],
  ['2026-02-30', undefined],
  ['2026-08-01 (no date)', undefined],
])('the date %j of a request is %j', (text, expected) => {
  expect(dateOf(text)?.toISOString()).toBe(expected);
});
