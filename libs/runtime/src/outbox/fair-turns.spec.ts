import { describe, expect, it } from '@jest/globals';
import { FairTurns } from './fair-turns.js';

/** Lowest turns first, as a store hands them out; of one turn those that were sent first. */
class Store {
  private waiting: { readonly turn: number; readonly of: string }[] = [];

  send(line: FairTurns, definitionId: string, of: string, count = 1, ahead = 0): void {
    for (const turn of line.turns({ definitionId, ahead: () => ahead }, count)) this.waiting.push({ turn, of });
  }

  /** One claim; returns whose messages it took. */
  claim(line: FairTurns, limit: number): string[] {
    const from = line.begin();
    this.waiting.sort((left, right) => left.turn - right.turn);
    const found = this.waiting.filter(({ turn }) => turn >= from).slice(0, limit);
    this.waiting = this.waiting.filter((each) => !found.includes(each));
    this.hasMore = line.found(
      from,
      found.map(({ turn }) => turn),
      limit,
    );
    return found.map(({ of }) => of);
  }
  hasMore = false;

  claimed(line: FairTurns, count: number): string[] {
    const all: string[] = [];
    while (all.length < count) all.push(...this.claim(line, 1));
    return all;
  }
}

const countOf = (all: readonly string[], of: string) => all.filter((each) => each === of).length;

describe('the queue for long work', () => {
  it('has the first job of each instance before the second one of any', () => {
    const [line, store] = [new FairTurns(), new Store()];
    store.send(line, 'a', 'hog', 5);
    store.send(line, 'b', 'first');
    store.send(line, 'c', 'second', 2);
    expect(store.claim(line, 5)).toEqual(['hog', 'first', 'second', 'hog', 'second']);
  });

  it('counts the jobs of an instance that wait already', () => {
    const [line, store] = [new FairTurns(), new Store()];
    store.send(line, 'a', 'hog', 1);
    store.send(line, 'a', 'hog', 2, 8);
    store.send(line, 'a', 'other', 3);
    expect(store.claim(line, 6)).toEqual(['hog', 'other', 'other', 'other', 'hog', 'hog']);
  });

  it('gives definitions equal shares, however many instances one has', () => {
    const [line, store] = [new FairTurns(), new Store()];
    for (let n = 0; n < 1000; n++) store.send(line, 'many', `many-${n}`);
    for (let n = 0; n < 20; n++) store.send(line, 'few', 'few');
    expect(countOf(store.claimed(line, 60), 'few')).toBe(20);
  });

  it('serves waiting callers before later ones, even if these never stop coming', () => {
    const [line, store] = [new FairTurns(), new Store()];
    store.send(line, 'hog', 'hog', 50);
    const served: string[] = [];
    for (let n = 0; n < 150; n++) {
      store.send(line, `d${n}`, 'newcomer');
      served.push(...store.claim(line, 1));
    }
    expect(countOf(served, 'hog')).toBeGreaterThan(30);
    expect(countOf(served, 'newcomer')).toBeGreaterThan(40);
  });

  it('reaches every turn, whatever other nodes put before it', () => {
    const [line, others, store] = [new FairTurns(), new FairTurns(), new Store()];
    store.send(line, 'a', 'late', 3, 10_000);
    const served: string[] = [];
    for (let n = 0; n < 40; n++) {
      // A node whose claims find nothing knows no front.
      store.send(others, `d${n}`, 'other', 2);
      served.push(...store.claim(line, 1));
    }
    expect(countOf(served, 'late')).toBe(3);
  });

  it('says whether more may wait, and starts again once none does', () => {
    const [line, store] = [new FairTurns(), new Store()];
    store.send(line, 'a', 'a', 3);
    store.claim(line, 2);
    expect(store.hasMore).toBe(true);
    store.claim(line, 2);
    expect(store.hasMore).toBe(false);
    expect(line.turns({ definitionId: 'a', ahead: () => 0 }, 2)).toEqual([1, 2]);
  });
});
