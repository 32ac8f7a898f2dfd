import { memberOf, membersOf } from './json-values.js';

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
