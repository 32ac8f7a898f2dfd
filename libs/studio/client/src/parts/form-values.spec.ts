import { describe, expect, it } from '@jest/globals';
import {
  fieldKind,
  type FormSchema,
  initialValue,
  isReadable,
  labelOf,
  localText,
  InexactJson,
  readJson,
  readNumber,
  UnreadableJson,
  withMember,
} from './form-values.js';

describe('values of forms', () => {
  it.each<[FormSchema, string]>([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', maxLength: 500 }, 'long-text'],
    [{ type: ['null', 'integer'] }, 'number'],
    [{ type: ['string', 'integer'] }, 'json'],
    [{ enum: ['a', 'b'] }, 'choice'],
    [{ enum: ['a', { b: 1 }] }, 'json'],
    [{ type: ['string', 'null'], enum: ['a', 'b', null] }, 'choice'],
    [{ enum: ['never', true] }, 'choice'],
    [{ type: ['boolean', 'null'], enum: [true, false, null] }, 'flag'],
    [{ enum: [null] }, 'json'],
    [{ type: 'string', format: 'date-time' }, 'date-time'],
    [{ type: 'string', format: 'password' }, 'password'],
    [{ properties: { a: {} } }, 'object'],
    [{ type: 'object' }, 'json'],
    [{ type: 'array', items: { type: 'string' } }, 'texts'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{}, 'json'],
  ])('values of %j are filled in as %s', (schema, kind) => {
    expect(fieldKind(schema)).toBe(kind);
  });

  it('values of forms begin with the defaults, and only with those', () => {
    const properties = { a: { type: 'string', default: 'x' }, b: { type: 'string' }, c: { properties: { d: {} } } };
    expect(initialValue({ type: 'object', properties })).toEqual({ a: 'x' });
    expect(initialValue({ type: 'object', properties: { b: { type: 'string' } } })).toBeUndefined();
    const flags = { paid: { type: 'boolean' }, sent: { type: 'boolean' } };
    expect(initialValue({ type: 'object', required: ['paid'], properties: flags })).toEqual({ paid: false });
  });

  it('values of forms lose a member that is emptied', () => {
    expect(withMember({ a: 1, b: 2 }, 'a', undefined)).toEqual({ b: 2 });
    expect(withMember({ a: 1 }, 'a', undefined)).toBeUndefined();
    expect(withMember(undefined, 'a', 0)).toEqual({ a: 0 });
  });

  it('values of forms that are not JSON are not sent', () => {
    expect(readJson(' ')).toBeUndefined();
    expect(readJson('{"a":1}')).toEqual({ a: 1 });
    expect(readJson('{')).toEqual(new UnreadableJson('{'));
    // Another number by then. What is a double is one.
    expect(readJson('{"account":[9007199254740993]}')).toBeInstanceOf(InexactJson);
    expect(readJson('1'.repeat(400))).toBeInstanceOf(InexactJson);
    expect(readJson('[9007199254740991,-0,1e300,12.50,100000000000000000]')).toEqual([
      9007199254740991, -0, 1e300, 12.5, 1e17,
    ]);
    expect([readJson('1e999'), readJson('[-1e999]')].every((value) => value instanceof InexactJson)).toBe(true);
    expect(readJson('0.12345678901234567890123')).toBeInstanceOf(InexactJson);
    expect(readJson('[0.1, 1.50e-3, -0.0, 123.456e2, 5E-324, "0.12345678901234567890123"]')).toEqual([
      0.1,
      0.0015,
      -0,
      12345.6,
      5e-324,
      '0.12345678901234567890123',
    ]);
    expect(isReadable({ a: { b: readJson('{') } })).toBe(false);
    expect(isReadable({ a: { b: [1] } })).toBe(true);
  });

  it.each<[string, unknown]>([
    ['', undefined],
    ['-', undefined],
    ['.', undefined],
    ['12.', 12],
    ['0.', 0],
    ['0.50', 0.5],
    ['007', 7],
    ['-1.05', -1.05],
    ['12345678901234', 12_345_678_901_234],
    ['9007199254740993', new UnreadableJson('9007199254740993')],
  ])('values of forms that are typed as the number %j', (text, number) => {
    expect(readNumber(text)).toEqual(number);
  });

  it('values of forms have names in words, and times of the reader', () => {
    expect(labelOf('costCentre', {})).toBe('Cost centre');
    expect(labelOf('costCentre', { title: 'Centre' })).toBe('Centre');
    expect(localText(new Date(2026, 4, 1, 9, 30).toISOString())).toBe('2026-05-01T09:30');
    expect(localText('')).toBe('');
  });
});
