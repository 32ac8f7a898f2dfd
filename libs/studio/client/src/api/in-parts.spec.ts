import { inParts } from './in-parts.js';

const numbers = Array.from({ length: 250 }, (_, index) => index);

describe('work on many, some at a time', () => {
  it('asks for all of them in their order, and says how far it is', async () => {
    const done: number[] = [];
    const answers = await inParts(
      numbers,
      (some) => Promise.resolve(some),
      (count) => done.push(count) > 0,
    );
    expect(answers.flat()).toEqual(numbers);
    expect(done).toEqual([100, 200, 250]);
  });

  it('ends when the progress dialog is closed', async () => {
    const answers = await inParts(
      numbers,
      (some) => Promise.resolve(some.length),
      () => false,
    );
    expect(answers).toEqual([100]);
  });
});
