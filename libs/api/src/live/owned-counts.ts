/** How many of something there are, in all and of each owner. */
export class OwnedCounts {
  private readonly counts = new Map<string, number>();
  private sum = 0;

  get total(): number {
    return this.sum;
  }

  of(owner: string): number {
    return this.counts.get(owner) ?? 0;
  }

  /** @returns to be called once, when it is gone */
  add(owner: string): () => void {
    this.sum++;
    this.counts.set(owner, this.of(owner) + 1);
    return () => {
      this.sum--;
      const left = this.of(owner) - 1;
      // One entry for each address that ever was here would be too many.
      if (left > 0) this.counts.set(owner, left);
      else this.counts.delete(owner);
    };
  }
}
