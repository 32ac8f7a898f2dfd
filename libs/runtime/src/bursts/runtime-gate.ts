import { Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { RuntimeNotAcceptingWorkError } from '../services/instance-errors.js';

/** Why a runtime is paused, and who asks for it. */
export interface PauseRequest {
  /** A sentence for people. */
  readonly reason?: string | undefined;
  /** Name of the user or API key. */
  readonly requestedBy?: string | undefined;
}

/** What is known of the last change of the gate, beside whether it is closed. Undefined: it did not happen, or the caller did not say. */
export interface GateHistory {
  /** Since when it is paused. */
  readonly pausedAt?: Date | undefined;
  /** Why it is paused. */
  readonly pauseReason?: string | undefined;
  /** Who paused it, or resumed it since. */
  readonly requestedBy?: string | undefined;
  /** Since when it drains. */
  readonly drainStartedAt?: Date | undefined;
  /** When it began to refuse work, or to accept it again. */
  readonly changedAt?: Date | undefined;
}

/** Decides whether the runtime accepts new work, and counts the bursts that it is running. Every entry path uses it. */
@Injectable()
export class RuntimeGate {
  private reason: 'paused' | 'draining' | undefined;
  private running = 0;
  private idle: (() => void)[] = [];
  private readonly drainListeners = new Set<DrainListener>();
  private past: GateHistory = {};

  /** @param clock for when it was closed and opened. @default these times are not known */
  constructor(private readonly clock?: WorkflowClock) {}

  /** Why no work is accepted; undefined if work is accepted. */
  get closedBecause(): 'paused' | 'draining' | undefined {
    return this.reason;
  }

  /** Bursts that this node runs now. */
  get activeBursts(): number {
    return this.running;
  }

  /** When it was closed, why and by whom. */
  get history(): GateHistory {
    return this.past;
  }

  /** Accepts no new work until `resume`; bursts that are running continue to their end. Of two pauses, the first one counts. */
  pause({ reason, requestedBy }: PauseRequest = {}): void {
    if (this.reason) return;
    this.reason = 'paused';
    const at = this.now();
    this.past = { pausedAt: at, pauseReason: reason, requestedBy, changedAt: at };
  }

  /** Accepts work again. Returns false if the runtime is shutting down, which cannot be undone. */
  resume(requestedBy?: string): boolean {
    if (this.reason === 'draining') return false;
    if (this.reason) this.past = { requestedBy, changedAt: this.now() };
    this.reason = undefined;
    return true;
  }

  /** Refuses new work from now on; resolves when no burst is running. */
  drain(): Promise<void> {
    // Asked for by an operator first, and by the shutdown then.
    if (this.reason === 'draining') return this.settled();
    const listeners = [...this.drainListeners];
    const at = this.now();
    this.past = { ...this.past, drainStartedAt: at, changedAt: this.reason ? this.past.changedAt : at };
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

  private now(): Date | undefined {
    return this.clock && new Date(this.clock.now());
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
