import { VirtualClock } from '@waymark/testing';
import type { ResolvedApiOptions } from '../module/api-options.js';
import { type AnswerClaim, AnswerMemory } from './answer-memory.js';

const MB = 1_000_000;

describe('memory of answers', () => {
  let clock: VirtualClock;
  let memory: AnswerMemory;
  beforeEach(() => {
    clock = new VirtualClock();
    memory = new AnswerMemory({ answerMemoryBytes: 100 * MB, definitionBytes: 10 * MB } as ResolvedApiOptions, clock);
  });
  afterEach(() => expect(clock.pending).toEqual([]));

  const now = (key: string | undefined): AnswerClaim => {
    const claim = memory.begin(key);
    if (claim instanceof Promise) throw new Error('It waits.');
    return claim;
  };
  const waits = (key: string | undefined) => {
    const claim = memory.begin(key);
    expect(claim).toBeInstanceOf(Promise);
    return claim as Promise<AnswerClaim>;
  };
  const known = (key: string, size: number) => {
    const claim = now(key);
    claim.made(size);
    claim.release();
  };

  it('makes one of unknown size at a time, and small ones without a turn from then on', async () => {
    const first = now('a');
    const [second, other] = [waits('a'), waits('b')];
    first.made(500);
    // Sending it takes no turn from those that are made.
    await second;
    (await other).made(500);
    for (let n = 0; n < 100; n++) now('a');
    expect(memory.heldBytes).toBe(0);
  });

  it('makes large ones beside each other as far as the memory goes, and in any case one', async () => {
    known('large', 5 * MB);
    known('huge', 50 * MB);
    const claims = [now('large'), now('large')];
    const third = waits('large');
    const huge = waits('huge');
    expect(memory.heldBytes).toBe(80 * MB);
    claims[0]!.made(5 * MB);
    // Sending the first, and making the two others.
    expect(memory.heldBytes).toBe(90 * MB);
    await third;
    for (const claim of [...claims, await third]) claim.release();
    (await huge).made(50 * MB);
    expect(memory.heldBytes).toBe(100 * MB);
    (await huge).release();
    expect(memory.heldBytes).toBe(0);
  });

  it('counts what is made while it is sent as one piece', () => {
    const claim = now('archive');
    claim.made(undefined);
    claim.made(5);
    expect(memory.heldBytes).toBe(80 * MB);
    claim.release();
    claim.release();
    expect(memory.heldBytes).toBe(0);
  });

  it('asks again for a size after a while', async () => {
    known('a', 500);
    await clock.advance(10_000);
    const claim = now('a');
    const other = waits('b');
    claim.release();
    (await other).release();
  });

  it('has two of those whose size never shows at once', async () => {
    const claims = [now(undefined), now(undefined)];
    const third = waits(undefined);
    now('a').release();
    claims[0]!.made(0);
    (await third).release();
    claims[1]!.release();
  });

  it('makes none of unknown size while others fill the memory', async () => {
    known('huge', 50 * MB);
    const huge = now('huge');
    huge.made(50 * MB);
    const [whole, read] = [waits('a'), waits(undefined)];
    huge.release();
    (await whole).release();
    (await read).release();
  });

  it('forgets who leaves while waiting', async () => {
    const first = now('a');
    const clients = Array.from({ length: 1000 }, () => new AbortController());
    const waiting = clients.map(async ({ signal }) => memory.begin('b', signal));
    for (const client of clients) client.abort();
    for (const claim of await Promise.all(waiting)) claim.made(5 * MB);
    expect(memory.heldBytes).toBe(0);
    const next = waits('b');
    first.release();
    (await next).release();
  });

  it('believes the largest size of late, also of what was small', () => {
    known('a', 500);
    const claims = [now('a'), now('a')];
    claims[0]!.made(5 * MB);
    claims[1]!.made(500);
    expect(memory.heldBytes).toBe(10 * MB);
    for (const claim of claims) claim.release();
    const large = now('a');
    expect(memory.heldBytes).toBe(40 * MB);
    large.release();
  });

  it('lets none wait longer than 30 seconds, nor more than a thousand', async () => {
    const claim = now('a');
    const waiting = Array.from({ length: 1000 }, () => waits('b'));
    expect(() => memory.begin('b')).toThrow(expect.objectContaining({ code: 'WM5080' }) as unknown as Error);
    const outcomes = Promise.allSettled(waiting);
    await clock.advance(30_000);
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
    claim.release();
    now('b').release();
  });
});
