import { distinct, distinctTexts } from './distinct.js';

describe('choices of a drop-down', () => {
  it('choices with one value are one: the first', () => {
    const [first, second, other] = [
      { value: 'a', label: 'A variable' },
      { value: 'a', label: 'An output' },
      { value: 'b', label: 'B' },
    ];
    expect(distinct([first, second, other])).toEqual([first, other]);
    expect(distinctTexts(['GET', 'POST', 'GET'])).toEqual(['GET', 'POST']);
  });
});
