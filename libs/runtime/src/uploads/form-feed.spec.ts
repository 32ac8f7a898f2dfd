import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { formFeed, guarded } from './form-feed.js';

const never = () => {
  throw new Error('The parser has not fallen silent.');
};

describe('what feeds a parser of forms', () => {
  it.each<[string, (parser: Writable) => void]>([
    ['write', (parser) => void (parser.write = () => fail())],
    ['end', (parser) => void (parser.end = () => fail())],
  ])('an exception of its %s is reported, and the feed is over', async (_name, breakIt) => {
    const parser = new Writable({ write: (_chunk, _encoding, done) => done() });
    breakIt(parser);
    const error = await new Promise<unknown>((resolve) => {
      const feed = formFeed(parser, never, (fault) => {
        expect(feed.destroyed).toBe(true);
        resolve(fault);
      });
      feed.end(Buffer.from('abc'));
    });
    expect(error).toEqual(new Error('broken'));
  });

  it('an exception of a listener reaches who asked for it', () => {
    const faults: unknown[] = [];
    const seen: unknown[] = [];
    const listener = guarded(
      (n: number) => (n > 1 ? fail() : seen.push(n)),
      (error) => faults.push(error),
    );
    for (const n of [1, 2]) listener(n);
    expect({ seen, faults }).toEqual({ seen: [1], faults: [new Error('broken')] });
  });
});

function fail(): never {
  throw new Error('broken');
}
