import { createHash, Hash } from 'node:crypto';
import { FormDigest } from './form-digest.js';

const digestOf = (boundary: string, body: string, size = body.length): string => {
  const digest = new FormDigest(`multipart/form-data; boundary="${boundary}"`);
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += size) digest.update(bytes.subarray(at, at + size));
  return digest.digest();
};
const form = (boundary: string, value: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n--${boundary}--\r\n`;

describe('the hash of a form', () => {
  it('is the same for every boundary, in whatever pieces it comes', () => {
    const expected = digestOf('first', form('first', 'some value'));
    for (const size of [1, 2, 7, 1000])
      expect(digestOf('another-one', form('another-one', 'some value'), size)).toBe(expected);
  });

  it('differs for other content, also if the content contains the boundary of another request', () => {
    const seen = ['some value', 'some valu', '', 'first', '--first', '\0', '--\0--'].map((value) =>
      digestOf('other', form('other', value)),
    );
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('is made in a bounded number of pieces, however often the body contains the boundary', () => {
    const update = jest.spyOn(Hash.prototype, 'update');
    const body = '--a'.repeat(200_000);
    const whole = digestOf('a', body);
    expect(update.mock.calls.length).toBeLessThan(50_000);
    update.mockRestore();
    expect(digestOf('a', body, 1000)).toBe(whole);
    expect(digestOf('a', `${body}-`)).not.toBe(whole);
  });

  it('looks for no boundary that is longer than the format allows', () => {
    const long = 'x'.repeat(71);
    const digest = new FormDigest(`multipart/form-data; boundary=${long}`);
    digest.update(Buffer.from(form(long, 'a')));
    const bytes = createHash('sha256').update(form(long, 'a')).digest('base64url');
    expect(digest.digest()).toBe(bytes);
  });

  it('is the hash of the bytes without a boundary', () => {
    const digest = new FormDigest('multipart/form-data');
    digest.update(Buffer.from('abc'));
    expect(digest.digest()).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });
});
