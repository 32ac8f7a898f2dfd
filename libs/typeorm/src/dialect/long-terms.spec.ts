import { expect, it } from '@jest/globals';
import { Conditions } from './conditions.js';
import { DIALECTS } from './dialect.js';

it.each([
  ['order', true],
  ['sample-orders', true],
  ['aaaa', true],
  ['aaaaaaab', false],
  ['-a-b-c-d-e', false],
  ['a term of letters', false],
])(
  'in SQLite, whether "%s" is looked for with LIKE is %s: not if that looks at each letter many times',
  (term, isLike) => {
    const { where } = new Conditions(DIALECTS.sqlite).contains(['name'], term);
    expect(where.includes(' LIKE ')).toBe(isLike);
    expect(new Conditions(DIALECTS.postgres).contains(['name'], term).where).toContain(' LIKE ');
  },
);

it('the empty term is in each text', () => {
  const { where, params } = new Conditions(DIALECTS.sqlite).contains(['name'], '');
  expect([where, params]).toEqual([" WHERE (name LIKE ? ESCAPE '!')", ['%%']]);
});
