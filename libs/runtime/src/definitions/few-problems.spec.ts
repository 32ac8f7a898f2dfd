import { fewProblems } from './few-problems.js';

const problems = (count: number, activityId = 'A') =>
  Array.from({ length: count }, (_, n) => ({ message: `Problem ${n}`, activityId }));

describe('the problems of a definition', () => {
  it('the problems of a definition are all named where they are few', () => {
    expect(fewProblems([])).toEqual([]);
    expect(fewProblems(problems(500))).toEqual(problems(500));
  });

  it('the problems of a definition are named up to a number, and up to a size, but for the first', () => {
    expect(fewProblems(problems(600)).slice(499)).toEqual([
      { message: 'Problem 499', activityId: 'A' },
      { message: 'There are 100 more, which are not listed here.' },
    ]);
    expect(fewProblems(problems(50, 'A'.repeat(300_000)))).toHaveLength(4);
    const large = problems(50, 'A'.repeat(3_000_000));
    expect(fewProblems(large)).toEqual([large[0], { message: 'There are 49 more, which are not listed here.' }]);
  });
});
