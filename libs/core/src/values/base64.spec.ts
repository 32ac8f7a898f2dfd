import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeBase64, encodeBase64 } from './base64.js';

describe('base64', () => {
  it('agrees with Buffer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(text)).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it.each([16_383, 16_384, 16_385, 50_001])('is the same for %i bytes', (length) => {
    const bytes = Uint8Array.from({ length: length + 3 }, (_, i) => i * 31).subarray(3);
    const text = encodeBase64(bytes);
    expect(text).toBe(Buffer.from(bytes).toString('base64'));
    expect(decodeBase64(text)).toEqual(Uint8Array.from(bytes));
    expect(decodeBase64(`${text.slice(0, 8)}\n${text.slice(8)}`)).toEqual(Uint8Array.from(bytes));
    expect(decodeBase64(text.slice(0, -1))).toBeUndefined();
    expect(decodeBase64(`${text.slice(0, 8)}-${text.slice(9)}`)).toBeUndefined();
    expect(decodeBase64(`${text.slice(0, 8)}!${text.slice(9)}`)).toBeUndefined();
  });

  it('takes more bytes than a function takes arguments', () => {
    const bytes = new Uint8Array(300_000).fill(7);
    expect(decodeBase64(encodeBase64(bytes))).toHaveLength(300_000);
  });

  it('ignores white space and refuses other text', () => {
    expect(decodeBase64('AQ\n ID')).toEqual(Uint8Array.of(1, 2, 3));
    expect(decodeBase64('not base64!')).toBeUndefined();
  });

  it.each(['abc', 'OK', 'hello world', 'A Q I', 'AQ=', 'AQID\nB'])('refuses %j, which lacks padding', (text) => {
    // Words are no bytes: some of them can be read as base64 of which the end is missing.
    expect(decodeBase64(text)).toBeUndefined();
  });
});
