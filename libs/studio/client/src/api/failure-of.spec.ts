import { describe, expect, it } from '@jest/globals';
import { ApiError } from './api-error.js';
import { failureOf } from './failure-of.js';

const failure = (status: number) => new ApiError({ status });

describe('what is shown in place of data', () => {
  it('is empty without a failure', () => {
    expect(failureOf({ data: undefined, error: null })).toBeUndefined();
    expect(failureOf({ data: [], error: null })).toBeUndefined();
  });

  it.each([0, 429, 500, 502, 503])('is the failure of %d, unless there is data from before', (status) => {
    const error = failure(status);
    expect(failureOf({ data: undefined, error })).toBe(error);
    expect(failureOf({ data: [], error })).toBeUndefined();
  });

  it.each([401, 403, 404, 501])('is always the failure of %d, which means that the data may not be shown', (status) => {
    const error = failure(status);
    expect(failureOf({ data: [], error })).toBe(error);
  });

  it('is always an error of the page itself', () => {
    const error = new TypeError('x is undefined');
    expect(failureOf({ data: [], error })).toBe(error);
  });
});
