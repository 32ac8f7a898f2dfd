import { describe, expect, it } from '@jest/globals';
import { amountOf } from '../../../../test/support/depth.js';
import { UserTaskFormError } from '../persistence/user-task-errors.js';
import { formProblems, requireForm, sensitiveValues, withoutSensitive } from './user-task-form.js';

const FORM = {
  type: 'object',
  required: ['name', 'lines'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 2, title: 'Name' },
    kind: { enum: ['a', 'b'] },
    on: { type: 'string', format: 'date' },
    secret: { type: 'string', format: 'password', minLength: 8 },
    lines: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', properties: { sum: { type: 'number' }, pin: { type: 'string', writeOnly: true } } },
    },
  },
};
const VALUES = { name: 'Mia', lines: [{ sum: 1.5, pin: '1234' }] };

describe('a form', () => {
  it('takes what fits it', () => {
    requireForm(FORM);
    expect(formProblems(FORM, { ...VALUES, kind: 'b', on: '2026-02-28', secret: 'long enough' })).toEqual([]);
    expect(formProblems(undefined, 'anything')).toEqual([]);
    expect(formProblems({ type: 'string' }, 'text')).toEqual([]);
  });

  it('is checked in a moment, however much is filled in wrongly', () => {
    const form = { type: 'object', properties: { lines: { type: 'array', items: { enum: ['a', 'b'] } } } };
    const lines = Array.from({ length: 200_000 }, () => 'c');
    expect(formProblems(form, { lines })).toMatchObject([{ field: 'lines.0' }]);
    expect(formProblems(form, { lines: lines.slice(0, 30) })).toHaveLength(30);
  });

  it('takes no more values than can be compared with its choices', () => {
    const choices = Array.from({ length: 20_000 }, (_, n) => `choice ${n}`);
    const form = { type: 'object', properties: { lines: { type: 'array', items: { enum: choices } } } };
    const lines = Array.from({ length: 500 }, () => choices.at(-1));
    expect(formProblems(form, { lines })).toEqual([{ field: '', message: expect.stringContaining('500') }]);
    expect(formProblems(form, { lines: lines.slice(10) })).toEqual([]);
  });

  it.each(['const', 'enum'])('takes no more values than can be compared with one large choice: %s', (keyword) => {
    const choice = Object.fromEntries(Array.from({ length: amountOf(100_000, 5) }, (_, n) => [`m${n}`, n]));
    const form = { type: 'array', items: { [keyword]: keyword === 'enum' ? [choice] : choice } };
    requireForm(form);
    const many = Array.from({ length: 50_000 }, () => ({}));
    expect(formProblems(form, many)).toEqual([{ field: '', message: expect.stringContaining('more values') }]);
    // Each is compared with all of it, and each problem names it.
    const few = many.slice(0, amountOf(20));
    expect(formProblems(form, few)).toHaveLength(few.length);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['nothing', undefined, ['name', 'lines']],
    ['a list', [], ['']],
    ['null', null, ['']],
    ['a missing field', { lines: [{}] }, ['name']],
    ['two missing fields', {}, ['name', 'lines']],
    ['a short text', { ...VALUES, name: 'M' }, ['name']],
    ['a field that is not there', { ...VALUES, other: 1 }, ['other']],
    ['no such choice', { ...VALUES, kind: 'c' }, ['kind']],
    ['no date', { ...VALUES, on: '2026-02-30' }, ['on']],
    ['an empty list', { ...VALUES, lines: [] }, ['lines']],
    ['a wrong item', { ...VALUES, lines: [{ sum: 1 }, { sum: 'x' }] }, ['lines.1.sum']],
    ['two mistakes', { name: 1, lines: 1 }, ['lines', 'name']],
  ])('refuses %s', (_, values, fields) => {
    expect(formProblems(FORM, values).map(({ field }) => field)).toEqual(expect.arrayContaining([...fields]));
  });

  it('names the field that is missing, also inside of another', () => {
    expect(formProblems(FORM, { lines: [{}] })).toEqual([{ field: 'name', message: 'is missing' }]);
    const form = { properties: { to: { properties: { 'a "b" c': {} }, required: ['a "b" c'] } } };
    expect(formProblems(form, { to: {} })).toEqual([{ field: 'to.a "b" c', message: 'is missing' }]);
    expect(new UserTaskFormError('t1', formProblems(FORM, {})).message).toBe(
      'The form of task "t1" is not filled in correctly: "name" is missing, "lines" is missing.',
    );
  });

  it('does not repeat sensitive values', () => {
    const problems = formProblems(FORM, { ...VALUES, secret: 'short', lines: [{ pin: 4321 }] });
    expect(problems.map(({ field }) => field).toSorted()).toEqual(['lines.0.pin', 'secret']);
    expect(JSON.stringify(problems)).not.toMatch(/short|4321/);
  });

  it('is looked at as data: names of prototypes are names', () => {
    const form = { type: 'object', properties: { constructor: { type: 'string', writeOnly: true } } };
    requireForm(form);
    expect(formProblems(form, {})).toEqual([]);
    expect(withoutSensitive(form, { toString: 1 })).toEqual({ toString: 1 });
    expect(sensitiveValues(form, {})).toEqual([]);
  });

  it('tells sensitive values from others', () => {
    const values = { ...VALUES, secret: 'long enough' };
    expect(withoutSensitive(FORM, values)).toEqual({
      ...{ name: 'Mia', secret: '(redacted)', lines: [{ sum: 1.5, pin: '(redacted)' }] },
    });
    expect(sensitiveValues(FORM, values)).toEqual(['long enough', '1234']);
  });

  it.each<[string, object, RegExp]>([
    ['a pattern', { properties: { a: { pattern: '(a+)+$' } } }, /form\.a has "pattern"/],
    ['a reference', { properties: { a: { $ref: '#' } } }, /form\.a has "\$ref"/],
    ['a combination', { anyOf: [{}] }, /form has "anyOf"/],
    ['an unknown type', { type: 'money' }, /"type"/],
    ['an unknown format', { properties: { a: { format: 'regex' } } }, /form\.a has a "format"/],
    ['a field that is not an object', { properties: { a: true } }, /form\.a must be an object/],
    ['an item far below', nested(20), /more than 8 levels/],
    [
      'too many fields',
      { properties: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`f${n}`, {}])) },
      /500/,
    ],
    ['additional properties of a kind', { additionalProperties: {} }, /"additionalProperties"/],
    ['required that is not a list', { required: true }, /"required"/],
    ['a title that is a schema', { title: { $id: 'http://[' } }, /"title" that is not a string/],
    ['examples that are a schema', { properties: { a: { examples: { $id: 'x' } } } }, /form\.a has a "examples"/],
    ['a mark that is an object', { writeOnly: {} }, /"writeOnly" that is not true or false/],
    ['a limit that is a text', { properties: { a: { maxLength: '5' } } }, /"maxLength" that is not a number/],
  ])('is refused when the task is made: %s', (_, form, message) => {
    expect(() => requireForm(form as Record<string, unknown>)).toThrow(message);
    expect(() => requireForm(form as Record<string, unknown>)).toThrow(expect.objectContaining({ code: 'WM2077' }));
  });
});

function nested(depth: number): object {
  return depth === 0 ? {} : { items: nested(depth - 1) };
}
