import { VirtualClock } from '@waymark/testing';

/**
 * A virtual clock that shows the time of a store. `set` is what an administrator does to the clock of the store, or a failover to a
 * server whose clock is wrong: timers of the process continue as before.
 */
export class SetClock extends VirtualClock {
  private aheadMs = 0;
  private readonly listeners = new Set<() => void>();

  override now(): number {
    return super.now() + this.aheadMs;
  }

  override monotonic(): number {
    return super.now();
  }

  override whenSet(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** The node has noticed that the store's time is another one, by so many milliseconds. */
  set(byMs: number): void {
    this.aheadMs += byMs;
    for (const listener of this.listeners) listener();
  }
}
