import { describe, expect, it } from '@jest/globals';
import { boundedRecord } from './audit-record.js';

describe('A record for the audit trail', () => {
  it('is by default a successful action of the application', () => {
    expect(boundedRecord({ action: 'invoices.approve' })).toEqual({
      actorKind: 'Application',
      action: 'invoices.approve',
      targetIds: [],
      targetCount: 0,
      outcome: 'Succeeded',
      details: {},
    });
    expect(boundedRecord({ action: 'a.b', targetIds: ['x', 'y'] }).targetCount).toBe(2);
  });

  it.each(['', 'approve', 'Invoices.Approve', 'a..b', '.a', 'a.', 'a b.c', `a.${'b'.repeat(99)}`])(
    'has no action like "%s"',
    (action) => {
      expect(() => boundedRecord({ action })).toThrow(expect.objectContaining({ code: 'WM8030', member: 'action' }));
    },
  );

  it('counts in whole numbers, and has facts for details', () => {
    for (const targetCount of [-1, 0.5, NaN])
      expect(() => boundedRecord({ action: 'a.b', targetCount })).toThrow(/targetCount/);
    for (const wrong of [NaN, Infinity, {}, null, 5n])
      expect(() => boundedRecord({ action: 'a.b', details: { wrong: wrong as never } })).toThrow(/details\.wrong/);
    expect(boundedRecord({ action: 'a.b', details: { n: -0.5, yes: false, none: undefined } }).details).toEqual({
      n: -0.5,
      yes: false,
    });
  });

  it('is bounded, whatever is given', () => {
    const long = 'ä'.repeat(100_000);
    const bounded = boundedRecord({
      action: 'a.b',
      actor: long,
      targetKind: long,
      targetIds: Array.from({ length: 500 }, (_, n) => `${n}${long}`),
      code: long,
      address: long,
      userAgent: long,
      requestId: long,
      details: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`${n}${long}`, long])),
    });
    expect([bounded.targetIds.length, bounded.targetCount, Object.keys(bounded.details).length]).toEqual([
      100, 500, 10,
    ]);
    expect(bounded.targetIds.every((id) => id.length === 255)).toBe(true);
    expect([bounded.actor?.length, bounded.userAgent?.length]).toEqual([200, 120]);
    expect(JSON.stringify(bounded).length).toBeLessThan(40_000);
  });

  it('keeps characters whole, and removes those that databases refuse or that could forge a line', () => {
    const horses = boundedRecord({ action: 'a.b', actor: '🐎'.repeat(300) }).actor!;
    expect([horses.length <= 200, /\p{Cs}/u.test(horses), horses.endsWith('🐎…')]).toEqual([true, false, true]);
    for (const bad of ['\0', '\n', '\u001b', '\ud800', '\u202e', '\u2028'])
      expect(boundedRecord({ action: 'a.b', actor: `a${bad}b`, targetIds: [bad] })).toMatchObject({
        actor: 'a\ufffdb',
        targetIds: ['\ufffd'],
      });
  });
});
