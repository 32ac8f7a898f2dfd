import { describe, expect, it } from '@jest/globals';
import { LeaveInputError, readDecision, readLeaveRequest, readStep } from './leave-input.js';

describe('the input of the leave sample', () => {
  it('accepts a request and a decision, and no further members', () => {
    expect(readLeaveRequest({ employee: 'Mia', days: 3, admin: true })).toEqual({ employee: 'Mia', days: 3 });
    expect(readDecision({ approved: false, by: 'Max', extra: 1 })).toEqual({ approved: false, by: 'Max' });
    expect(readStep('head')).toBe('head');
  });

  it.each([
    undefined,
    null,
    'text',
    [],
    {},
    { employee: ' ', days: 3 },
    { employee: 'Mia', days: '3' },
    { days: 400 },
    { employee: 'Mia', days: 0.5 },
    { employee: 'Mia', days: 366 },
  ])('refuses %j as a request', (given) => {
    expect(() => readLeaveRequest(given)).toThrow(LeaveInputError);
  });

  it.each([null, 'true', { approved: 'false', by: 'Max' }, { approved: 1, by: 'Max' }, { approved: true }])(
    'refuses %j as a decision: only true and false are one',
    (given) => {
      expect(() => readDecision(given)).toThrow(LeaveInputError);
    },
  );

  it('names everything that is wrong, with a code', () => {
    expect(() => readDecision({})).toThrow(
      expect.objectContaining({ code: 'WM9002', message: expect.stringMatching(/"approved".*"by"/) }),
    );
    expect(() => readStep('boss')).toThrow(/"manager" and "head" decide/);
  });
});
