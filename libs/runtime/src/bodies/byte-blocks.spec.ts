import { describe, expect, it } from '@jest/globals';
import { ByteBlocks } from './byte-blocks.js';

const numbered = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, i) => i % 251));

describe('bytes of a stream', () => {
  it.each([1, 2, 3, 1023, 1024, 1025, 65_536, 70_000, 300_000])(
    'bytes of a stream are the same from chunks of %i',
    (length) => {
      const bytes = numbered(300_000);
      const blocks = new ByteBlocks();
      for (let at = 0; at < bytes.length; at += length) blocks.append(bytes.subarray(at, at + length));
      expect(blocks.length).toBe(bytes.length);
      expect(blocks.take().equals(bytes)).toBe(true);
    },
  );

  it('bytes of a stream take memory by their number, not by that of the chunks', () => {
    const blocks = new ByteBlocks();
    const chunk = Buffer.from('x');
    for (let i = 1; i <= 200_000; i++) {
      blocks.append(chunk);
      if (i % 1000 === 0) expect(blocks.heldBytes).toBeLessThanOrEqual(2 * i + 65_536);
    }
    // A chunk that was kept would keep what it is part of.
    chunk.write('y');
    expect(blocks.take().includes('y')).toBe(false);
  });

  it('bytes of a stream are held until they are taken', () => {
    const blocks = new ByteBlocks();
    expect(blocks.take()).toHaveLength(0);
    blocks.append(Buffer.from('abc'));
    blocks.append(Buffer.alloc(0));
    expect(blocks.take().toString()).toBe('abc');
    expect([blocks.length, blocks.heldBytes]).toEqual([0, 0]);
    blocks.append(Buffer.from('d'));
    expect(blocks.take().toString()).toBe('d');
  });
});
