/** What waits, for one owner. */
interface Waiting {
  readonly owner: string;
}

/**
 * Those that wait, owner by owner in turns: one user who sends a thousand requests is behind all others with the second of them. Of one owner,
 * in their order.
 */
export class AnswerTurns<W extends Waiting> {
  /** In the order of their turns; none is empty. */
  private readonly lanes = new Map<string, Set<W>>();
  private size = 0;

  constructor(private readonly most: number) {}

  /** @returns which one has no place, if there are too many: the latest of the owner with most of them, which may be this one */
  add(waiting: W): W | undefined {
    const lane = this.lanes.get(waiting.owner) ?? new Set<W>();
    lane.add(waiting);
    this.lanes.set(waiting.owner, lane);
    this.size++;
    if (this.size <= this.most) return undefined;
    // The owner's own where several have as many: those came first.
    let longest = lane;
    for (const one of this.lanes.values()) if (one.size > longest.size) longest = one;
    return [...longest].at(-1);
  }

  delete(waiting: W): void {
    const lane = this.lanes.get(waiting.owner);
    if (!lane?.delete(waiting)) return;
    this.size--;
    if (lane.size === 0) this.lanes.delete(waiting.owner);
  }

  /**
   * Asks owner by owner, as long as some begin; one that cannot lets later ones pass.
   * @param begin deletes what it begins
   */
  goOn(begin: (waiting: W) => boolean): void {
    for (let isAnyBegun = true; isAnyBegun;) {
      isAnyBegun = false;
      for (const [owner, lane] of [...this.lanes]) {
        if (![...lane].some(begin)) continue;
        isAnyBegun = true;
        // To the end: the others have their turn first, also the next time.
        if (lane.size === 0) continue;
        this.lanes.delete(owner);
        this.lanes.set(owner, lane);
      }
    }
  }

  /** All of them. */
  list(): W[] {
    return [...this.lanes.values()].flatMap((lane) => [...lane]);
  }
}
