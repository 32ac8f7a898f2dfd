import { expect, it } from '@jest/globals';
import { inTurn } from '../../scripts/turns.mjs';

const SIX = ['a', 'b', 'c', 'd', 'e', 'f'];
// Without it all, also where CI has drawn something else.
delete process.env.WAYMARK_TEST_DRAW;

it('takes each part in one of so many commits that follow one another', () => {
  for (const from of [0, 1, 1150]) {
    const taken = [0, 1, 2].map((later) => inTurn(SIX, 3, String(from + later)));
    expect(taken.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(taken.flat().toSorted()).toEqual(SIX);
  }
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
