import type { JournalChunk } from '@waymark/core';
import { hasLargeText } from './journal-values.js';

describe('hasLargeText', () => {
  const LIMIT = 100;
  const text = 'x'.repeat(LIMIT + 1);
  const file = { filename: 'a', content: new Uint8Array(LIMIT + 1) };
  const chunkOf = (outputs: Record<string, unknown>) =>
    ({ log: [], records: [{ outputs }] }) as unknown as JournalChunk;

  it.each<[string, Record<string, unknown>]>([
    ['a text', { Content: text }],
    ['bytes', { Content: file.content }],
    ['a file', { Content: file }],
    ['a list of files', { Files: [file] }],
  ])('sees %s beyond the limit', (_, outputs) => expect(hasLargeText(chunkOf(outputs), LIMIT)).toBe(true));

  it('does not look at all items of a long list', () => {
    const items = Array.from({ length: 1000 }, () => 'short');
    let asked = 0;
    const counting = new Proxy(items, { get: (target, name) => (asked++, Reflect.get(target, name) as unknown) });
    expect([hasLargeText(chunkOf({ Items: counting }), LIMIT), asked < 20]).toEqual([false, true]);
  });
});
