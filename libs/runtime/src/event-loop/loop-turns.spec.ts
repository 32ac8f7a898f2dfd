import { stat } from 'node:fs';
import { LoopTurns } from './loop-turns.js';

/** Counts turns of the event loop until it is ended. */
function countingTurns() {
  const counter = { turn: 0, end: () => clearImmediate(next) };
  const count = () => void (counter.turn++, (next = setImmediate(count)));
  let next = setImmediate(count);
  return counter;
}

/** Pieces of work that come at the same time. @returns in which turn each was done */
async function turnsOf(pieces: readonly { readonly chars?: number; readonly ms?: number }[]): Promise<number[]> {
  let now = 0;
  const turns = new LoopTurns(() => now);
  const counter = countingTurns();
  const done = await Promise.all(
    pieces.map(async ({ chars, ms = 0 }) => {
      const turn = turns.begin(chars);
      if (turn) await turn;
      now += ms;
      return counter.turn;
    }),
  );
  counter.end();
  return done;
}

const times = <T>(count: number, piece: T): T[] => Array.from({ length: count }, () => piece);
const mostInOneTurn = (turns: readonly number[]): number =>
  Math.max(...turns.map((turn) => turns.filter((other) => other === turn).length));

describe('turns of the event loop', () => {
  it('turns of the event loop have one large state each', async () => {
    const turns = await turnsOf(times(40, { chars: 1_000_000 }));
    expect(new Set(turns).size).toBe(40);
    expect(turns).toEqual(turns.toSorted((a, b) => a - b));
  });

  it('an answer from outside and the rest of its round of the loop belong to one turn of the event loop', async () => {
    const turns = new LoopTurns(() => 0);
    let isBegun = false;
    const seen = await new Promise<readonly unknown[]>((resolve) => {
      stat('.', () => {
        const first = turns.begin(1_000_000);
        void turns.begin(1_000_000)?.then(() => (isBegun = true));
        // Behind all that was asked for in this round.
        setImmediate(() => resolve([first, isBegun]));
      });
    });
    expect(seen).toEqual([undefined, false]);
  });

  it('long work that an answer from outside began is not followed by other work in the same round of the loop', async () => {
    let now = 0;
    const turns = new LoopTurns(() => now);
    const isBegun = await new Promise<boolean>((resolve) => {
      let hasBegun = false;
      stat('.', () => {
        void turns.begin();
        now += 150;
        void turns.begin()?.then(() => (hasBegun = true));
        // Behind all that was asked for in this round.
        setImmediate(() => resolve(hasBegun));
      });
    });
    expect(isBegun).toBe(false);
  });

  it('turns of the event loop have as many smaller ones as fit in by their size', async () => {
    const turns = await turnsOf(times(40, { chars: 100_000 }));
    expect(mostInOneTurn(turns)).toBe(5);
    expect(new Set(turns).size).toBe(8);
  });

  it('turns of the event loop have any number of small ones', async () => {
    expect(new Set(await turnsOf(times(1000, { chars: 30_000 }))).size).toBe(1);
  });

  it('turns of the event loop end when their time is over, whatever the size', async () => {
    const turns = await turnsOf(times(40, { ms: 10 }));
    expect(mostInOneTurn(turns)).toBe(3);
  });

  it('turns of the event loop have one piece of work at least', async () => {
    expect(new Set(await turnsOf(times(5, { ms: 300 }))).size).toBe(5);
  });

  it('turns of the event loop let small states overtake large ones that wait', async () => {
    const [, waits, goes] = await turnsOf([{ chars: 300_000 }, { chars: 300_000 }, { chars: 100 }]);
    expect(goes).toBe(0);
    expect(waits).toBeGreaterThan(0);
  });

  it('turns of the event loop let work end before other work begins', async () => {
    let now = 0;
    const turns = new LoopTurns(() => now);
    const order: string[] = [];
    const piece = async (name: string) => {
      const turn = turns.begin();
      if (turn) await turn;
      order.push(`begin ${name}`);
      now += 30;
      const later = turns.goOn();
      if (later) await later;
      order.push(`end ${name}`);
      now += 30;
    };
    await Promise.all(['a', 'b', 'c'].map(piece));
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
  });

  it('turns of the event loop let starts begin beside a long list of work under way, a few at a time', async () => {
    let now = 0;
    const turns = new LoopTurns(() => now);
    let [done, open, mostOpen] = [0, 0, 0];
    const part = async () => {
      const turn = turns.goOn();
      if (turn) await turn;
      now += 1;
      done++;
    };
    const list = async () => {
      for (let i = 0; i < 2000; i++) await part();
    };
    const begunAfter: number[] = [];
    const start = async () => {
      const turn = turns.begin();
      if (turn) await turn;
      begunAfter.push(done);
      mostOpen = Math.max(mostOpen, ++open);
      for (let i = 0; i < 200; i++) await part();
      open--;
    };
    expect(turns.goOn()).toBeUndefined();
    now += 30;
    await Promise.all([list(), ...times(20, undefined).map(start)]);
    expect(begunAfter[0]).toBeLessThan(100);
    expect(mostOpen).toBeLessThanOrEqual(6);
  });

  it('turns of the event loop count what could not be counted before', async () => {
    const turns = new LoopTurns(() => 0);
    expect(turns.begin()).toBeUndefined();
    turns.spend(600_000);
    expect([turns.begin(), turns.goOn()]).toEqual([undefined, undefined]);
    const waits = turns.begin(40_000);
    expect(waits).toBeInstanceOf(Promise);
    await waits;
  });

  it('can be requested for later', async () => {
    const counter = countingTurns();
    const turns = new LoopTurns(() => 0);
    await Promise.all(times(3, undefined).map(() => turns.next()));
    expect(counter.turn).toBeGreaterThan(0);
    counter.end();
  });

  describe('while connections come', () => {
    /** One comes in each turn, as the system gives them. @returns how many have come when further work begins */
    async function connectionsBefore(lastTurnMs: number, connections: number, msForEach: number): Promise<number> {
      let now = 1000;
      let taken = 0;
      const turns = new LoopTurns(() => now);
      const take = () => {
        if (taken === connections) return;
        taken++;
        now += msForEach;
        turns.connected();
        next = setImmediate(take);
      };
      // Before the turns look: the system hands connections over in an earlier phase of the loop.
      let next = setImmediate(take);
      expect(turns.begin()).toBeUndefined();
      now += lastTurnMs;
      await turns.begin();
      clearImmediate(next);
      return taken;
    }

    it('turns of the event loop let all connections come first, after a turn that took long', async () => {
      expect(await connectionsBefore(150, 200, 0.1)).toBe(200);
    });

    it('turns of the event loop wait for connections no longer than the last turn took, and a quarter of a second at most', async () => {
      expect(await connectionsBefore(150, 10_000, 1)).toBeLessThan(155);
      expect(await connectionsBefore(5000, 10_000, 1)).toBeLessThan(255);
    });

    it('turns of the event loop begin when no connection has come for two turns', async () => {
      const counter = countingTurns();
      expect(await connectionsBefore(150, 1, 0)).toBe(1);
      expect(counter.turn).toBeLessThan(6);
      counter.end();
    });

    it('turns of the event loop do not begin beside connections that come later either', async () => {
      let now = 0;
      const turns = new LoopTurns(() => now);
      void turns.begin();
      now += 150;
      // A long turn ends a round of the loop later.
      for (let round = 0; round < 2; round++) {
        turns.connected();
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(turns.begin()).toBeInstanceOf(Promise);
      now += 150;
      expect(turns.begin()).toBeUndefined();
    });

    it('turns of the event loop begin at once where no work came before the connections', () => {
      const turns = new LoopTurns(() => 0);
      turns.connected();
      expect(turns.begin()).toBeUndefined();
    });
  });
});
