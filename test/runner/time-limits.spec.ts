import { expect, it } from '@jest/globals';
import { measureSlowness, passedLimits } from '../../scripts/time-limits.mjs';

const costs = (hidden: number, run: number) => [
  { name: 'npm test, hidden', seconds: hidden },
  { name: 'lint', seconds: 1000 },
  { name: 'the run', seconds: run },
];

it('says nothing while no limit is passed, however slow the machine is', () =>
  expect(passedLimits(costs(180, 600), 3)).toEqual([]));

it.each([
  [1.1, /as fast as/],
  [2.2, /2\.2 times as long/],
])('names each limit that is passed, and how fast the machine is: %p', (slowness, machine) => {
  expect(passedLimits(costs(181, 1232), slowness)).toEqual([
    'TOO LONG: npm test, hidden took 181 s, and may take 180 s.',
    'TOO LONG: the run took 1232 s, and may take 600 s.',
    expect.stringMatching(machine),
  ]);
});

it('measures the same work each time', () => expect(measureSlowness()).toBeGreaterThan(0));
