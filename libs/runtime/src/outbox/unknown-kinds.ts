import type { WorkflowClock } from '../clock/workflow-clock.js';

/** Then this node asks again for what it could not do: a handler may have been registered since. */
const LEFT_FOR_MS = 60_000;

/**
 * Kinds of messages that this node has no handler for: a later version writes them, or a module that it has not. It learns from the first
 * one, and claims no others for a while. Else it would claim them again and again in place of its own, and keep them from those who can.
 */
export class UnknownKinds {
  private readonly until = new Map<string, number>();

  constructor(private readonly clock: WorkflowClock) {}

  note(kind: string): void {
    this.until.set(kind, this.clock.monotonic() + LEFT_FOR_MS);
  }

  forget(kind: string): void {
    this.until.delete(kind);
  }

  all(): string[] {
    const now = this.clock.monotonic();
    for (const [kind, until] of this.until) if (until <= now) this.until.delete(kind);
    return [...this.until.keys()];
  }
}
