import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../api/api-error.js';
import { afterAnswer, afterFailure, leftOf, NONE_REACHED } from './reached.js';

const result = (workflowInstanceId: string, isSuccessful: boolean) => ({ workflowInstanceId, isSuccessful });

describe('instances that an alteration has reached', () => {
  it('instances that were altered are not altered again, but those that were refused are', () => {
    const reached = afterAnswer(NONE_REACHED, ['a', 'b'], { results: [result('a', true), result('b', false)] });
    expect(leftOf(reached, ['a', 'b', 'c'], true)).toEqual(['b', 'c']);
  });

  it('instances that a plan will alter are not altered again', () => {
    expect(leftOf(afterAnswer(NONE_REACHED, ['a'], { results: [], planId: 'p' }), ['a', 'b'], true)).toEqual(['b']);
  });

  it.each([0, 502])('instances whose answer was lost (%i) are altered again on demand only', (status) => {
    const reached = afterFailure(NONE_REACHED, ['a'], new ApiError({ status }));
    expect(leftOf(reached, ['a', 'b'], false)).toEqual(['b']);
    expect(leftOf(reached, ['a', 'b'], true)).toEqual(['a', 'b']);
    expect(leftOf(afterAnswer(reached, ['a'], { results: [result('a', false)] }), ['a'], false)).toEqual(['a']);
  });

  it.each([{ status: 429 }, { status: 503, retryAfterSeconds: 1 }, { status: 403 }])(
    'instances that the server has turned away are altered again: %j',
    (details) => {
      expect(afterFailure(NONE_REACHED, ['a'], new ApiError(details))).toEqual(NONE_REACHED);
    },
  );
});
