import type { LineOf } from '../bursts/outbox.js';

/** One claim of so many begins where such a claim ended before, and not with the lowest turns. */
const CLAIMS_PER_ROUND = 4;
/** What an integer column holds. */
const LAST_TURN = 2 ** 31 - 1;

/**
 * Turns of long work: whose is next, should more wait than there are places. The first job of each instance comes before
 * the second one of any, however many there are of one; and the instances of one definition take turns with those of
 * others. Turns continue from the lowest that was found waiting, so those who come later do not overtake for good.
 *
 * A node knows its own instances and what its claims find. That may differ from what others know, which costs a share and
 * no message: some claims go through all turns one after the other.
 */
export class FairTurns {
  /** The lowest turn that a claim has found. */
  private front = 0;
  /** By definition, the turn that was given last. */
  private readonly last = new Map<string, number>();
  private claims = 0;
  private passed = 0;

  /** For so many more messages of one instance. */
  turns({ definitionId, ahead }: LineOf, count: number): number[] {
    const first = Math.max(this.last.get(definitionId) ?? 0, this.front) + 1;
    this.last.set(definitionId, first);
    const begin = first + ahead();
    return Array.from({ length: count }, (_, n) => Math.min(begin + n, LAST_TURN));
  }

  /** The turn with which the next claim is to begin; `found` follows. */
  begin(): number {
    return ++this.claims % CLAIMS_PER_ROUND === 0 ? this.passed + 1 : 1;
  }

  /**
   * @param turns those that a claim which began there has found, lowest first
   * @returns whether more may wait
   */
  found(fromTurn: number, turns: readonly number[], limit: number): boolean {
    const isAll = turns.length < limit;
    if (fromTurn > 1) {
      this.passed = isAll ? 0 : turns.at(-1)!;
      // Nothing is known of the turns before.
      return true;
    }
    // Also when another node found the line empty, and began anew.
    if (isAll || turns[0]! < this.front) this.last.clear();
    this.front = isAll ? 0 : turns[0]!;
    if (!isAll && this.passed === 0) this.passed = turns.at(-1)!;
    return !isAll;
  }
}
