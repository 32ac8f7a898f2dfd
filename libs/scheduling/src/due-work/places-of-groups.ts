/** A group of which no row has ended for so long lends its place. */
const LONG_MS = 60_000;
/** So many places are lent for each that there is: what is fired without a place takes memory all the same. */
const LENT_PER_PLACE = 4;

interface Inside {
  readonly rows: number;
  /** When one of them ended, or the first one began. */
  readonly since: number;
}

/** Limits how many groups of rows are fired at once. Rows of one group share a place; groups without one wait in order of arrival. */
export class PlacesOfGroups {
  /** Rows of each group that has a place. The groups that have been without an ended row for longest come first. */
  private readonly inside = new Map<string, Inside>();
  /** Rows of each group whose place others have: a call that never returns would keep it for as long as the process lives. */
  private readonly outside = new Map<string, number>();
  private readonly waiting: { readonly group: string; readonly enter: () => void }[] = [];

  /** @param now monotonic, in milliseconds */
  constructor(
    private readonly count: number,
    private readonly now: () => number,
  ) {}

  /** Groups that are fired without a place. */
  get lent(): number {
    return this.outside.size;
  }

  /** @returns undefined when there is a place, else a promise that resolves once there is */
  enter(group: string): Promise<void> | undefined {
    if (this.tryToEnter(group)) return undefined;
    return new Promise((enter) => this.waiting.push({ group, enter }));
  }

  leave(group: string): void {
    const outside = this.outside.get(group);
    if (outside !== undefined) {
      if (outside > 1) this.outside.set(group, outside - 1);
      else this.outside.delete(group);
      return;
    }
    const { rows } = this.inside.get(group)!;
    this.inside.delete(group);
    if (rows > 1) this.inside.set(group, { rows: rows - 1, since: this.now() });
    this.letEnter();
  }

  /** Lends the places of groups that continue for long. */
  lendLong(): void {
    for (const [group, { rows, since }] of this.inside) {
      if (this.now() - since < LONG_MS || this.lent >= this.count * LENT_PER_PLACE) break;
      this.inside.delete(group);
      this.outside.set(group, rows);
    }
    this.letEnter();
  }

  private letEnter(): void {
    while (this.waiting.length > 0 && this.tryToEnter(this.waiting[0]!.group)) this.waiting.shift()!.enter();
  }

  private tryToEnter(group: string): boolean {
    const outside = this.outside.get(group);
    if (outside !== undefined) {
      this.outside.set(group, outside + 1);
      return true;
    }
    const found = this.inside.get(group);
    if (!found && this.inside.size >= this.count) return false;
    this.inside.set(group, { rows: (found?.rows ?? 0) + 1, since: found?.since ?? this.now() });
    return true;
  }
}
