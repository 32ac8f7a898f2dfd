/** Limits how many groups of rows are fired at once. Rows of one group share a place; groups without one wait in order of arrival. */
export class PlacesOfGroups {
  /** Rows of each group that has a place. */
  private readonly inside = new Map<string, number>();
  private readonly waiting: { readonly group: string; readonly enter: () => void }[] = [];

  constructor(private readonly count: number) {}

  /** @returns undefined when there is a place, else a promise that resolves once there is */
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
