import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Repeatable choices: the same seed makes the same ones. */
export class Random {
  private readonly generator;

  constructor(readonly seed: number) {
    this.generator = xoroshiro128plus(seed);
  }

  /** 0 <= value < 1 */
  next(): number {
    return uniformFloat64(this.generator);
  }

  /** from <= value < to */
  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws RangeError for an empty list */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('There is nothing to choose from.');
    return items[Math.floor(this.next() * items.length)]!;
  }
}
