import { describe, expect, it } from '@jest/globals';
import { deserialize, serialize } from '@waymark/core/adapter';
import { createHash } from 'node:crypto';
import { JournalReference, type JournalValue } from './journal-values.js';
import { JournalBudget, noteOfOmitted, OmittedJournalValue, readJournalValue } from './omitted-values.js';

const stored = (value: unknown): JournalValue => {
  const text = serialize(value, 'value');
  return { hash: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text), text };
};

describe('a value that a journal did not keep', () => {
  it.each([
    ['text', 'text', 'ä"\\'.repeat(40_000)],
    ['a list', 'list', Array.from({ length: 40_000 }, (_, n) => n)],
    ['an object', 'object', { order: 'x'.repeat(40_000), at: new Date(0) }],
    ['bytes', 'bytes', new Uint8Array(40_000)],
    ['a number of many digits', 'other', 10n ** 4000n],
  ] as const)('is known by its kind, its size and its beginning: %s', (_, kind, given) => {
    const value = stored(given);
    const note = readJournalValue(noteOfOmitted(value).text) as OmittedJournalValue;
    expect(note).toBeInstanceOf(OmittedJournalValue);
    expect(note).toBeInstanceOf(JournalReference);
    const start = value.text.slice('{"json":'.length, '{"json":'.length + 200);
    expect(note).toEqual(new OmittedJournalValue(value.hash, value.bytes, note.kind, start));
    // A bigint is kept as a text of digits.
    expect(note.kind).toBe(kind === 'other' ? 'text' : kind);
    expect(noteOfOmitted(value).bytes).toBeLessThan(1_200);
  });

  it('is not called bytes because its end looks like the note on bytes', () => {
    const { text } = noteOfOmitted(stored({ order: 'x'.repeat(40_000), meta: { values: [['custom', 'bytes']] } }));
    expect(readJournalValue(text)).toMatchObject({ kind: 'object' });
  });

  it('does not begin with half of a character', () => {
    const { text } = noteOfOmitted(stored(`${'x'.repeat(198)}${'😀'.repeat(20_000)}`));
    expect((readJournalValue(text) as OmittedJournalValue).start).toBe(`"${'x'.repeat(198)}`);
  });

  it('is read by nodes of the version before as an object with the same members', () => {
    const value = stored(['x'.repeat(40_000)]);
    const note = noteOfOmitted(value);
    expect(deserialize(note.text)).toEqual({
      omittedValue: value.hash,
      bytes: value.bytes,
      kind: 'list',
      start: `["${'x'.repeat(198)}`,
    });
  });

  it.each([
    [{ omittedValue: 'a', bytes: 1, kind: 'text', start: '', omitted: true }],
    [',"omitted":true}'],
    [{ json: {}, omitted: true }],
    [true],
  ])('is not mistaken for a value of the application: %j', (value) => {
    expect(readJournalValue(serialize(value, 'value'))).toEqual(value);
  });
});

describe('the budget of a journal', () => {
  it('takes values as long as they fit, and notes of those that do not', () => {
    const budget = new JournalBudget(100_000);
    const [first, second, small] = ['a'.repeat(60_000), 'b'.repeat(60_000), 'c'.repeat(30_000)].map(stored);
    expect(budget.take(first!)).toBe(first);
    expect(readJournalValue(budget.take(second!).text)).toBeInstanceOf(OmittedJournalValue);
    expect(budget.take(small!)).toBe(small);
    expect(budget.kept).toBeLessThan(100_000);
  });
});
