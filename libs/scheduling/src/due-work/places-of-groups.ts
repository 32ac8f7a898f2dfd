/** Places for groups of rows: those of one group share a place, groups that find none wait in the order in which they came. */
export class PlacesOfGroups {
  /** How many of each group have its place. */
  private readonly inside = new Map<string, number>();
  private readonly waiting: { readonly group: string; readonly enter: () => void }[] = [];

  constructor(private readonly count: number) {}

  /** Undefined: there is a place. */
  enter(group: string): Promise<void> | undefined {
    if (this.tryToEnter(group)) return undefined;
    return new Promise((enter) => this.waiting.push({ group, enter }));
  }

  leave(group: string): void {
    const left = this.inside.get(group)! - 1;
    if (left > 0) this.inside.set(group, left);
    else this.inside.delete(group);
    while (this.waiting.length > 0 && this.tryToEnter(this.waiting[0]!.group)) this.waiting.shift()!.enter();
  }

  private tryToEnter(group: string): boolean {
    const inside = this.inside.get(group) ?? 0;
    if (inside === 0 && this.inside.size >= this.count) return false;
    this.inside.set(group, inside + 1);
    return true;
  }
}
