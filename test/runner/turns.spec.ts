import { expect, it } from '@jest/globals';
import { hasTurn, inTurn } from '../../scripts/turns.mjs';

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];
// Without it all, also where CI has drawn something else.
delete process.env.WAYMARK_TEST_DRAW;

const taken = (from: number, count: number, step = 1) =>
  Array.from({ length: count }, (_, later) => inTurn(SIX, 3, String(from + later * step)));

it('takes each part in one of so many commits that follow one another from a multiple of them', () => {
  for (const from of [0, 3, 1149]) {
    const parts = taken(from, 3);
    expect(parts.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(parts.flat().toSorted()).toEqual(SIX);
  }
  for (const from of [1, 2, 1150]) expect([...new Set(taken(from, 5).flat())].toSorted()).toEqual(SIX);
});

it.each([2, 3, 4, 6, 12])('leaves none out forever where each merge raises the number of commits by %i', (step) => {
  for (let from = 0; from < 12; from++) expect([...new Set(taken(from, 20, step).flat())].toSorted()).toEqual(SIX);
});

it('takes one of a list that is shorter than the turns, and of an empty one nothing', () => {
  for (const draw of ['0', '1', '2', 'a commit']) expect(inTurn(['a', 'b'], 3, draw)).toHaveLength(1);
  expect(inTurn([], 3, '1')).toEqual([]);
});

it('takes the same with the same text, and all without one', () => {
  expect(inTurn(SIX, 3, 'a commit')).toEqual(inTurn(SIX, 3, 'a commit'));
  expect(inTurn(SIX, 3)).toEqual(SIX);
  expect(inTurn(SIX, 3, '')).toEqual(SIX);
});

it.each([
  [['the API reference', 'a new application from nothing', 'TypeScript 6 by exports']],
  [['an installation by pnpm', 'a publish from the folders']],
])('takes with each commit one of what takes turns, and all without a draw: %p', (names) => {
  for (let draw = 2064; draw < 2076; draw++)
    expect(names.filter((name) => hasTurn(name, String(draw)))).toHaveLength(1);
  for (const name of names) {
    expect(hasTurn(name)).toBe(true);
    const turns = Array.from({ length: 12 }, (_, later) => hasTurn(name, String(2064 + later))).filter(Boolean);
    expect(turns).toHaveLength(12 / names.length);
  }
});

it('refuses a name that takes turns with nothing', () =>
  expect(() => hasTurn('lint')).toThrow('takes turns with nothing'));
