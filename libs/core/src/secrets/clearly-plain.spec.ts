import { describe, expect, it, test } from '@jest/globals';
import * as fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import { isClearlyPlain } from './clearly-plain.js';
import { Redaction } from './redaction.js';
import { rewriteValues } from './rewrite-values.js';

const redaction = new Redaction({ add: ['pin'] });
const rules = {
  isPlainText: (text: string) => redaction.shownText(text) === text,
  isPlainMember: (name: string) => !redaction.isSensitive(name),
};
/** The same without a look at it before. */
const rewritten = (value: unknown): unknown =>
  rewriteValues(value, {
    text: (text) => redaction.shownText(text),
    member: (name, member) => (redaction.isSensitive(name) ? '(redacted)' : member),
  });

describe('a value is recognised as plain', () => {
  test.each([
    ['data', { Name: 'Ada', list: [1, { total: 2.5 }], at: new Date(0), none: null, flag: true }],
    ['a name that says nothing of a null', { password: null, hasPassword: true, Secret: false }],
    ['a URL without a password', { url: 'https://host/path?q=1' }],
    ['a text', 'plain'],
  ])('%s is recognised as plain', (_, value) => expect(isClearlyPlain(value, rules)).toBe(true));

  const circle: Record<string, unknown> = {};
  circle.self = circle;
  test.each([
    ['a sensitive name', { a: [{ 'X-Api-Key': 'k' }] }],
    ['a number with a sensitive name', { pin: 1234 }],
    ['a URL with a password', ['http://a:b@c/']],
    ['JSON with a secret', { body: '{"password":"p"}' }],
    ['a map, whose entries have names', { map: new Map([['a', 'b']]) }],
    ['an object of a class', { of: new (class Own {})() }],
    ['a circle', circle],
    ['more values than a glance takes', Array.from({ length: 1000 }, () => 1)],
    ['more members than a glance takes', Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`n${i}`, i]))],
  ])('%s is not recognised as plain', (_, value) => expect(isClearlyPlain(value, rules)).toBe(false));

  it('a value counts as plain only if redaction does not change it', () => {
    const name = fc.constantFrom('a', 'pin', 'PIN', 'password', 'api_key', 'Value', '__proto__', 'size');
    const text = fc.constantFrom('x', 'http://a:b@c', '{"pin":1}', ' {"pin":1}', '://', 'https://h/?pin=1', '[1]');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.constantFrom(null, undefined, true, 1, 2n, new Date(0)),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(name, tie('any'), { maxKeys: 3 }),
        tie('any').map((item) => new Map([['a', item]])),
        tie('any').map((item) => new Set([item])),
      ),
    })).any;
    const told = { plain: 0, doubtful: 0 };
    fc.assert(
      fc.property(value, (given) => {
        if (!isClearlyPlain(given, rules)) return void told.doubtful++;
        told.plain++;
        expect(rewritten(given)).toBe(given);
        expect(redaction.shown(given)).toBe(given);
      }),
      { numRuns: amountOf(1000) },
    );
    expect(Math.min(told.plain, told.doubtful)).toBeGreaterThan(amountOf(100));
  });
});
