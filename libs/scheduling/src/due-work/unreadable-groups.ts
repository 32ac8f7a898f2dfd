/** Most groups that looks leave to other nodes because this one cannot read them: each look names them to the store. */
const MOST = 1000;

/** Groups of rows that this node cannot read, and until when it leaves them to others. */
export class UnreadableGroups {
  private readonly until = new Map<string, number>();

  get names(): readonly string[] {
    return [...this.until.keys()];
  }

  /** When the first of them may be taken here again; Infinity: there are none. */
  get firstAt(): number {
    return Math.min(Infinity, ...this.until.values());
  }

  has(group: string): boolean {
    return this.until.has(group);
  }

  clear(): void {
    this.until.clear();
  }

  /** Forgets those that may be taken here again. */
  endPauses(now: number): void {
    for (const [group, notBefore] of this.until) if (notBefore <= now) this.until.delete(group);
  }

  /** @returns false if there are too many */
  leave(group: string, notBefore: number): boolean {
    const known = this.until.get(group);
    if (known === undefined && this.until.size >= MOST) return false;
    // Of several rows the longest pause: given back before its own, a row would be kept from all nodes again.
    this.until.set(group, Math.max(known ?? notBefore, notBefore));
    return true;
  }
}
