/** Runs tasks of one key one after the other, tasks of different keys side by side. Holds nothing for idle keys. */
export class KeyedMutex {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const before = this.tails.get(key);
    const mine = before ? before.then(task, task) : task();
    // The tail never rejects: a failed task must not fail the next one.
    const tail = mine.catch(() => undefined);
    this.tails.set(key, tail);
    try {
      return await mine;
    } finally {
      if (this.tails.get(key) === tail) this.tails.delete(key);
    }
  }
}
