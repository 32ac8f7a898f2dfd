import { readTimeout, timeoutProblem } from './activity-timeout.js';
import { nextRetryDelay, readRetryPolicy } from './retry-policy.js';

const HOUR = 3_600_000;

describe('spans of timeouts and retries', () => {
  it.each([
    ['72:00:00', 72 * HOUR],
    ['1.12:00:00', 36 * HOUR],
    ['3 days', 72 * HOUR],
    ['PT72H', 72 * HOUR],
    ['3', 72 * HOUR],
    [5000, 5000],
  ])('spans of timeouts and retries read %p as a delay in code does', (span, expected) => {
    expect([readTimeout(span), timeoutProblem(span)]).toEqual([expected, undefined]);
    const policy = readRetryPolicy({ maxAttempts: 2, delay: span, maxDelay: '500:00:00' })!;
    expect(nextRetryDelay(policy, 1, new Error('x'))).toBe(expected);
  });

  it.each(['3 months', 'soon', '-3 days', 0, -1, NaN])(
    'spans of timeouts and retries have no reading for a timeout of %p',
    (span) => {
      expect([readTimeout(span), timeoutProblem(span)]).toEqual([undefined, expect.stringContaining('time span')]);
    },
  );
});
