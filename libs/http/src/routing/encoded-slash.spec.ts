import { describe, expect, it } from '@jest/globals';
import { decodeLiterals } from '../endpoint/written-path.js';
import { withEncodedSlashes, withSlashes } from './encoded-slash.js';
import { parseRequestPath } from './request-path.js';

describe('encoded slashes', () => {
  const texts = [
    'a/b',
    'a%2fb',
    'a%252fb',
    'a%25252fb',
    '100%',
    '%25',
    '%2525',
    '%25/2f',
    '%/2f',
    '%%2f',
    'a%2',
    '%2g',
    '',
  ];

  it.each(texts)('the segment %j is read as it was written', (text) => {
    expect(withSlashes(withEncodedSlashes(text))).toBe(text);
  });

  it('differ from texts that look like them', () => {
    expect(new Set(texts.map((text) => withEncodedSlashes(text))).size).toBe(texts.length);
  });

  it.each(texts.filter((text) => text !== ''))('the path of an author and that of a request agree on %j', (text) => {
    const written = `x/${encodeURIComponent(text)}/y`;
    expect(parseRequestPath(`/${written}`)!.key).toBe(`/${decodeLiterals(written).toLowerCase()}`);
  });
});
