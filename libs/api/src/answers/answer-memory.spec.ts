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

  it('makes answers of unknown size one at a time, and those that turn out to be small without waiting from then on', async () => {
    const first = now('a');
    const [second, other] = [waits('a'), waits('b')];
    first.made(500);
    // Sending it takes no turn from those that are made.
    await second;
    (await other).made(500);
    for (let n = 0; n < 100; n++) now('a');
    expect(memory.heldBytes).toBe(0);
  });

  it('makes large answers at the same time as far as the memory allows, and one in any case', async () => {
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

  it('counts an answer that is made while it is sent as one large piece', () => {
    const claim = now('archive');
    claim.made(undefined);
    claim.made(5);
    expect(memory.heldBytes).toBe(80 * MB);
    claim.release();
    claim.release();
    expect(memory.heldBytes).toBe(0);
  });

  it('forgets a size after a while', async () => {
    known('a', 500);
    await clock.advance(10_000);
    const claim = now('a');
    const other = waits('b');
    claim.release();
    (await other).release();
  });

  it('two answers of unknown size are made at the same time', async () => {
    const claims = [now(undefined), now(undefined)];
    const third = waits(undefined);
    now('a').release();
    claims[0]!.made(0);
    (await third).release();
    claims[1]!.release();
  });

  it('makes no answer of unknown size while others use up the memory', async () => {
    known('huge', 50 * MB);
    const huge = now('huge');
    huge.made(50 * MB);
    const [whole, read] = [waits('a'), waits(undefined)];
    huge.release();
    (await whole).release();
    (await read).release();
  });

  it('drops a waiting answer when its client leaves', async () => {
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

  it('uses the largest recent size, also after a small one', () => {
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

  it('lets answers wait for at most 30 seconds, and at most a thousand of them', async () => {
    const claim = now('a');
    const waiting = Array.from({ length: 1000 }, () => waits('b'));
    await expect(waits('b')).rejects.toMatchObject({ code: 'WM5080' });
    const outcomes = Promise.allSettled(waiting);
    await clock.advance(30_000);
    expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(['rejected']));
    claim.release();
    now('b').release();
  });

  it('takes users in turns, and refuses the latest of the one with most', async () => {
    const order: string[] = [];
    const by = async (owner: string, name: string): Promise<void> => {
      try {
        const claim = await memory.begin(name, undefined, owner);
        order.push(name);
        claim.made(500);
      } catch {
        order.push(`${name} refused`);
      }
    };
    const first = now('a');
    const all = Array.from({ length: 1000 }, (_, n) => by('flood', `flood ${n}`));
    all.push(by('b', 'b 1'), by('c', 'c 1'), by('b', 'b 2'));
    first.made(500);
    await Promise.all(all);
    expect(order.slice(0, 3)).toEqual(['flood 999 refused', 'flood 998 refused', 'flood 997 refused']);
    expect(order.slice(3, 9)).toEqual(['flood 0', 'b 1', 'c 1', 'flood 1', 'b 2', 'flood 2']);
    expect(order).toHaveLength(1003);
  });

  it('refuses the answers that wait when asked to, and continues afterwards', async () => {
    const claim = now('a');
    const waiting = [waits('b'), waits('c')];
    const reason = new Error('the store is out');
    memory.refuse(reason);
    for (const each of waiting) await expect(each).rejects.toBe(reason);
    claim.release();
    now('b').release();
  });
});
