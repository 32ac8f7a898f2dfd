import { Injectable } from '@nestjs/common';
import { RuntimeNotAcceptingWorkError } from '../services/instance-errors.js';

/** Decides whether the runtime accepts new work, and counts the bursts that it is running. Every entry path uses it. */
@Injectable()
export class RuntimeGate {
  private reason: 'paused' | 'draining' | undefined;
  private running = 0;
  private idle: (() => void)[] = [];
  private readonly drainListeners = new Set<DrainListener>();

  /** Why no work is accepted; undefined if work is accepted. */
  get closedBecause(): 'paused' | 'draining' | undefined {
    return this.reason;
  }

  /** Bursts that this node runs now. */
  get activeBursts(): number {
    return this.running;
  }

  /** Accepts no new work until `resume`; bursts that are running continue to their end. */
  pause(): void {
    this.reason ??= 'paused';
  }

  /** Accepts work again. Returns false if the runtime is shutting down, which cannot be undone. */
  resume(): boolean {
    if (this.reason === 'draining') return false;
    this.reason = undefined;
    return true;
  }

  /** Refuses new work from now on; resolves when no burst is running. */
  drain(): Promise<void> {
    // Asked for by an operator first, and by the shutdown then.
    const listeners = this.reason === 'draining' ? [] : [...this.drainListeners];
    this.reason = 'draining';
    this.drainListeners.clear();
    for (const listener of listeners) listener(new RuntimeNotAcceptingWorkError('draining'));
    return this.settled();
  }

  /**
   * Calls back once, with the refusal of further work, when the runtime begins to shut down, or at once if it does so already.
   * @returns ends the wait for it
   */
  whenDraining(listener: DrainListener): () => void {
    if (this.reason === 'draining') {
      listener(new RuntimeNotAcceptingWorkError('draining'));
      return () => undefined;
    }
    this.drainListeners.add(listener);
    return () => void this.drainListeners.delete(listener);
  }

  /** Resolves when no burst is running; new ones may begin. */
  settled(): Promise<void> {
    return this.running === 0 ? Promise.resolve() : new Promise((resolve) => this.idle.push(resolve));
  }

  /** Notes that a burst begins. @throws RuntimeNotAcceptingWorkError (`WM3005`) */
  enter(): void {
    if (this.reason) throw new RuntimeNotAcceptingWorkError(this.reason);
    this.running++;
  }

  /** Notes that a burst has ended. */
  leave(): void {
    if (--this.running > 0) return;
    for (const resolve of this.idle.splice(0)) resolve();
  }
}

type DrainListener = (refusal: RuntimeNotAcceptingWorkError) => void;
