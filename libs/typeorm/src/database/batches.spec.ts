import { describe, expect, it } from '@jest/globals';
import { Batches } from './batches.js';

/** A server whose answers come when the test says so. */
function slowServer() {
  const calls: { items: readonly number[]; answer: () => void; fail: (error: Error) => void }[] = [];
  const together = (items: readonly number[]) =>
    new Promise<number[]>((resolve, reject) => {
      calls.push({ items, answer: () => resolve(items.map((item) => item * 10)), fail: reject });
    });
  return { calls, together };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const alone = async (item: number) => (item < 0 ? Promise.reject(new Error(`${item}`)) : item * 100);

describe('batches', () => {
  it('batches take what is asked for in one turn together, and gather while all lanes are busy', async () => {
    const { calls, together } = slowServer();
    const batches = new Batches({ lanes: 2, maxItems: 3, together, alone });
    const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batches.ask(item)));
    await turn();
    await turn();
    expect(calls.map(({ items }) => items)).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const late = batches.ask(8);
    calls[1]!.answer();
    await turn();
    await turn();
    expect(calls[2]!.items).toEqual([7, 8]);
    calls[2]!.answer();
    calls[0]!.answer();
    expect([...(await answers), await late]).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
  });

  it('batches wait for a large one, until enough wait or it has ended', async () => {
    const { calls, together } = slowServer();
    const gathering = { large: 3, enough: 4, longestMs: 3_600_000 };
    const batches = new Batches({ lanes: 2, maxItems: 9, gathering, together, alone });
    const latest = async (...items: number[]) => {
      void items.map((item) => batches.ask(item));
      for (let turns = 0; turns < 3; turns++) await turn();
      return calls.at(-1)!.items;
    };
    expect(await latest(1, 2)).toEqual([1, 2]);
    expect(await latest(3)).toEqual([3]);
    calls[0]!.answer();
    expect(await latest(4, 5, 6)).toEqual([4, 5, 6]);
    calls[1]!.answer();
    expect(await latest(7, 8, 9)).toEqual([4, 5, 6]);
    expect(await latest(10)).toEqual([7, 8, 9, 10]);
    calls[2]!.answer();
    expect(await latest(11)).toEqual([7, 8, 9, 10]);
    calls[3]!.answer();
    expect(await latest()).toEqual([11]);
  });

  it('batches do not wait for long', async () => {
    const { calls, together } = slowServer();
    const gathering = { large: 1, enough: 2, longestMs: 1 };
    const batches = new Batches({ lanes: 2, maxItems: 9, gathering, together, alone });
    void batches.ask(1);
    await turn();
    void batches.ask(2);
    while (calls.length < 2) await turn();
    expect(calls.map(({ items }) => items)).toEqual([[1], [2]]);
  });

  it('batches are not heavier than they may be, but a single item may', async () => {
    const { calls, together } = slowServer();
    const weigh = (item: number) => item;
    const batches = new Batches({ lanes: 9, maxItems: 9, maxWeight: 10, weigh, together, alone });
    void [20, 4, 6, 1].map((item) => batches.ask(item));
    for (let turns = 0; turns < 3; turns++) await turn();
    expect(calls.map(({ items }) => items)).toEqual([[20], [4, 6], [1]]);
  });

  it('batches are repeated item by item when they fail, and waiting items do not delay others', async () => {
    const { calls, together } = slowServer();
    const waits = new Promise<number>(() => undefined);
    const batches = new Batches({
      lanes: 1,
      maxItems: 9,
      together,
      alone: (item) => (item === 3 ? waits : alone(item)),
    });
    const [good, bad] = [1, -2, 3].map((item) => batches.ask(item));
    await turn();
    calls[0]!.fail(new Error('together'));
    expect(await good).toBe(100);
    await expect(bad).rejects.toThrow('-2');
    const next = batches.ask(4);
    await turn();
    calls[1]!.answer();
    expect(await next).toBe(40);
  });

  it('batches are not done again when that could do them twice', async () => {
    const { calls, together } = slowServer();
    const batches = new Batches({ lanes: 1, maxItems: 9, together, alone, isFinal: () => true });
    const all = Promise.allSettled([1, 2].map((item) => batches.ask(item)));
    await turn();
    calls[0]!.fail(new Error('unknown'));
    expect(await all).toEqual([1, 2].map(() => ({ status: 'rejected', reason: new Error('unknown') })));
  });

  it('batches that would meet the same error are not tried one after the other', async () => {
    const { calls, together } = slowServer();
    const isOfAll = (error: unknown) => (error as Error).message === 'out';
    const batches = new Batches({ lanes: 1, maxItems: 2, together, alone, isFinal: isOfAll, isOfAll });
    const all = Promise.allSettled([1, 2, 3, 4, 5].map((item) => batches.ask(item)));
    await turn();
    calls[0]!.fail(new Error('out'));
    expect(await all).toEqual(Array.from({ length: 5 }, () => ({ status: 'rejected', reason: new Error('out') })));
    expect(calls).toHaveLength(1);
    const next = batches.ask(6);
    await turn();
    calls[1]!.answer();
    expect(await next).toBe(60);
  });
});

describe('a batch of which few cannot be done now', () => {
  it('is done again in halves, and only those few alone', async () => {
    const asked: number[][] = [];
    const together = async (items: readonly number[]) => {
      asked.push([...items]);
      if (items.includes(3)) throw new Error('locked');
      return items.map((item) => item * 10);
    };
    const isOfFew = (error: unknown) => (error as Error).message === 'locked';
    const batches = new Batches({ lanes: 1, maxItems: 8, together, alone, isOfFew });
    expect(await Promise.all([1, 2, 3, 4].map((item) => batches.ask(item)))).toEqual([10, 20, 300, 40]);
    expect(asked).toEqual([[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]]);
  });
});
