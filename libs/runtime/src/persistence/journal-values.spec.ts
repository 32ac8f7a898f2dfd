import type { JournalChunk } from '@waymark/core';
import { hasLargeText, hasMuchText, lighten, lightenInTurns } from './journal-values.js';

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

describe('hasMuchText', () => {
  const chunkOf = (lengths: readonly number[]) =>
    ({
      log: [{ payload: { text: 'x'.repeat(lengths[0]!) } }],
      records: lengths.slice(1).map((length) => ({ outputs: { file: { content: new Uint8Array(length) } } })),
    }) as unknown as JournalChunk;

  it('counts the texts and bytes of all records and entries together, the short ones apart', () => {
    const MOST = 1_000_000;
    expect(hasMuchText(chunkOf([900_000, 100_001]), MOST)).toBe(true);
    expect(hasMuchText(chunkOf([900_000, 100_000]), MOST)).toBe(false);
    expect(hasMuchText(chunkOf([1_000_001]), MOST)).toBe(true);
    expect(hasMuchText(chunkOf(Array.from({ length: 1000 }, () => 10_000)), MOST)).toBe(false);
  });
});

describe('lightenInTurns', () => {
  // Slices of a million characters would end between the halves of a pair.
  const text = `x${'\ud83d\ude00'.repeat(1_200_000)}`;
  const body = { text, other: 'short' };
  const chunk = {
    log: [{ sequence: 1, payload: { text } }],
    records: [{ id: 'r', outputs: { ParsedContent: body, Copy: text }, properties: {}, metadata: {} }],
  } as unknown as JournalChunk;
  const serialized: string[] = [];
  const options = {
    maxInlineBytes: 1000,
    serialize: (value: unknown) => {
      const made = JSON.stringify(value);
      serialized.push(made);
      return made;
    },
  };

  it('replaces what lighten replaces, by the same hashes, and pauses before each slice', async () => {
    let pauses = 0;
    const light = await lightenInTurns(chunk, options, () => void pauses++);
    expect(serialized).toHaveLength(1);
    expect(pauses).toBeGreaterThanOrEqual(3);
    const expected = lighten(chunk, options)!;
    expect(light!.references).toEqual(expected.references);
    expect(light!.chunk).toEqual(expected.chunk);
    expect(light!.values.map(({ hash, bytes }) => ({ hash, bytes }))).toEqual(
      expected.values.map(({ hash, bytes }) => ({ hash, bytes })),
    );
    expect(expected.values).toHaveLength(1);
  });

  it('has nothing to do where nothing is large', async () => {
    const small = { log: [{ sequence: 1, payload: { text: 'x' } }], records: [] } as unknown as JournalChunk;
    expect(await lightenInTurns(small, options, () => undefined)).toBeUndefined();
  });
});
