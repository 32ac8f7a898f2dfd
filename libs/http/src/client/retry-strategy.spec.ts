import { findStrategy, maxRetries, retryAfterMs, type RetryStrategy, retryDelayMs } from './retry-strategy.js';

it('computes the waits of retries', () => {
  const delays = (backoffType: 'Constant' | 'Linear' | 'Exponential') =>
    [1, 2, 3].map((n) => retryDelayMs({ id: 'x', delay: 100, backoffType }, n, 0));
  expect([delays('Constant'), delays('Linear'), delays('Exponential')]).toEqual([
    [100, 100, 100],
    [100, 200, 300],
    [100, 200, 400],
  ]);
  expect([
    retryDelayMs({ id: 'x', delay: 100, useJitter: true }, 1, 0),
    retryDelayMs({ id: 'x', delay: 100, useJitter: true }, 1, 1),
  ]).toEqual([75, 125]);
  expect(retryDelayMs({ id: 'x', delay: '01:00:00' }, 5, 0)).toBe(600_000);
  expect(findStrategy({ strategyId: 'a' }, [{ id: 'a' }])).toEqual({ id: 'a' });
});

it.each([
  [undefined, 3],
  ['5', 5],
  ['three', 3],
  [{}, 3],
  [-1, 0],
  [1e9, 1000],
  [Infinity, 1000],
])('%j retries are %d: a strategy may be of any shape', (given, retries) => {
  expect(maxRetries({ id: 'x', maxRetryAttempts: given } as RetryStrategy)).toBe(retries);
});

it.each([
  ['5', 5000],
  [' 30 ', 30_000],
  ['86400', 600_000],
  ['Sun, 01 Mar 2026 10:00:20 GMT', 20_000],
  ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
  ['next week GMT', 0],
  ['-5', 0],
  ['1.5', 0],
  ['soon', 0],
  ['', 0],
  [undefined, 0],
])('a server with Retry-After %j is left alone for %d ms', (value, ms) => {
  expect(retryAfterMs(value, Date.parse('2026-03-01T10:00:00Z'))).toBe(ms);
});
