import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { VirtualClock } from '@waymark/testing';
import { readChunks, type TakeChunk } from './read-chunks.js';
import { BodyMemoryError } from './body-memory.js';
import { RequestAbortedError } from './request-aborted-error.js';

describe('readChunks', () => {
  const clock = new VirtualClock();
  const source = () => new PassThrough();
  const read = (stream: PassThrough, take: TakeChunk = () => true) =>
    readChunks(stream, take, { clock, idleMs: 1000, totalMs: 5000 });
  /** Hands a chunk over, and waits until it was seen. */
  const send = (stream: PassThrough, text: string) => new Promise((resolve) => stream.write(text, resolve));
  afterEach(() => expect(clock.pending).toEqual([]));

  it('reads to the end, or until enough is taken', async () => {
    const [all, some] = [source(), source()];
    const taken: string[] = [];
    const reading = read(all, (chunk) => taken.push(String(chunk)) > 0);
    await send(all, 'a');
    all.end('b');
    expect([await reading, taken.join('')]).toEqual([true, 'ab']);
    const enough = read(some, () => false);
    some.write('a');
    expect([await enough, some.destroyed]).toEqual([false, false]);
  });

  describe.each<[string, TakeChunk, boolean]>([
    ['reads', () => true, true],
    ['discards', () => false, false],
  ])('a body in short chunks that it %s', (_, take, wanted) => {
    it('leaves turns to other work', async () => {
      let turns = 0;
      let most = 0;
      let inTurn = 0;
      const nextTurn = (): void => {
        turns++;
        most = Math.max(most, inTurn);
        inTurn = 0;
      };
      const crumbs = new Readable({ highWaterMark: 10_000_000, read: () => undefined });
      for (let n = 0; n < 100_000; n++) crumbs.push('sixteen bytes...');
      crumbs.push(null);
      const ended = once(crumbs, 'end');
      const reading = readChunks(crumbs, take);
      crumbs.prependListener('data', () => inTurn++);
      let isOver = false;
      void ended.then(() => (isOver = true));
      while (!isOver) {
        await setImmediate();
        nextTurn();
      }
      expect([await reading, turns > 10, most < 10_000]).toEqual([wanted, true, true]);
    });
  });

  it('refuses a body in chunks of one byte, and accepts any number of chunks of sixteen', async () => {
    const pieces = (count: number, text: string) =>
      Readable.from(Array.from({ length: count }, () => Buffer.from(text)));
    let taken = 0;
    const take = () => ++taken > 0;
    await expect(readChunks(pieces(20_000, 'a'), take)).resolves.toBe(true);
    await expect(readChunks(pieces(60_000, 'sixteen bytes...'), take)).resolves.toBe(true);
    taken = 0;
    await expect(readChunks(pieces(60_000, 'a'), take)).rejects.toMatchObject({ code: 'WM5019' });
    expect(taken).toBeLessThan(22_000);
  });

  it('stops when nothing arrives', async () => {
    const stream = source();
    const outcome = expect(read(stream)).rejects.toMatchObject({
      code: 'WM5064',
      message: expect.stringContaining('1000 ms'),
    });
    await clock.advance(900);
    await send(stream, 'a');
    await clock.advance(900);
    expect(clock.pending).toHaveLength(1);
    await clock.advance(100);
    await outcome;
  });

  it('stops a body that arrives too slowly', async () => {
    const stream = source();
    const outcome = expect(read(stream)).rejects.toMatchObject({
      code: 'WM5064',
      message: expect.stringContaining('5000 ms'),
    });
    for (let n = 0; n < 9; n++) {
      await send(stream, 'a');
      await clock.advance(550);
    }
    expect(clock.pending).toHaveLength(1);
    await send(stream, 'a');
    await clock.advance(50);
    await outcome;
  });

  it('does not count the time for which the reader has paused the source', async () => {
    const stream = source();
    let free = (_wantsMore: boolean): void => undefined;
    const reading = read(stream, () => new Promise<boolean>((resolve) => (free = resolve)));
    await send(stream, 'a');
    stream.end();
    await clock.advance(3000);
    free(true);
    expect(await reading).toBe(true);
  });

  it('notices a client that disconnects, also while the source is paused', async () => {
    const stream = source();
    const outcome = expect(read(stream, () => new Promise(() => undefined))).rejects.toThrow(RequestAbortedError);
    await send(stream, 'a');
    stream.destroy();
    await outcome;
  });

  it('notices a client that has disconnected before it reads', async () => {
    const stream = source();
    await new Promise((resolve) => stream.once('close', resolve).destroy());
    await expect(read(stream)).rejects.toThrow(RequestAbortedError);
  });

  it('reads the rest of a body for which there is no room, up to the acceptable size and within its time', async () => {
    const noRoom = new BodyMemoryError();
    const readTo = (stream: PassThrough) =>
      readChunks(stream, () => Promise.reject(noRoom), { clock, idleMs: 1000, totalMs: 5000 }, 5);
    const [ended, long, idle] = [source(), source(), source()];
    let isSettled = false;
    const outcome = expect(readTo(ended).finally(() => (isSettled = true))).rejects.toBe(noRoom);
    await send(ended, 'ab');
    await send(ended, 'cd');
    expect(isSettled).toBe(false);
    ended.end('e');
    await outcome;
    const outcomes = [long, idle].map((stream) => expect(readTo(stream)).rejects.toBe(noRoom));
    for (const text of ['abc', 'def']) await send(long, text);
    await outcomes[0];
    await send(idle, 'a');
    await clock.advance(1000);
    await outcomes[1];
  });

  it('passes on errors of its callback', async () => {
    const [now, later] = [source(), source()];
    const outcomes = [
      expect(
        read(now, () => {
          throw new RangeError('now');
        }),
      ).rejects.toThrow('now'),
      expect(read(later, () => Promise.reject(new RangeError('later')))).rejects.toThrow('later'),
    ];
    now.write('a');
    later.write('a');
    await Promise.all(outcomes);
  });
});
