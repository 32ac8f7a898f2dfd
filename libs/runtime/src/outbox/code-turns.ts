import type { WorkflowClock } from '../clock/workflow-clock.js';
import type { MissingCode } from '../definitions/missing-code.js';
import type { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { codeTurnOf } from './dispatch-limits.js';
import type { WaitingMessages } from './waiting-messages.js';

/** Then this node asks again for what it could not do: types may have been registered since. */
const REFUSED_FOR_MS = 60_000;
/** How often it is looked how long such work has waited. */
const WATCHED_EVERY_MS = 5_000;

/**
 * Work that this node leaves to others, because it has not the code of its version (decision 33). It waits at a turn of its
 * version. A node learns from its first message that it cannot do the others; one that can, finds the turn with its next look.
 */
export class CodeTurns {
  private readonly refused = new Map<number, WorkflowCodeMissingError>();
  private watchedAt = -Infinity;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly missing: MissingCode,
    private readonly waiting: WaitingMessages,
  ) {}

  /** @returns the turn at which it waits; this node claims nothing there for a while */
  refuse(error: WorkflowCodeMissingError): number {
    const turn = codeTurnOf(error.definitionVersionId);
    this.refused.set(turn, error);
    this.waiting.refuse(turn, this.clock.monotonic() + REFUSED_FOR_MS);
    return turn;
  }

  note(error: WorkflowCodeMissingError, since: Date): Promise<void> {
    return this.missing.waits(error, since);
  }

  /** Says how long the oldest waits at the turns that this node has refused. @param found turns at which messages wait */
  async watch(found: readonly number[]): Promise<void> {
    if (this.refused.size === 0 || this.clock.monotonic() - this.watchedAt < WATCHED_EVERY_MS) return;
    this.watchedAt = this.clock.monotonic();
    for (const [turn, error] of this.refused) {
      const oldest = found.includes(turn) ? await this.persistence.outbox.oldestAt(turn) : undefined;
      if (oldest) await this.missing.waits(error, oldest);
      else this.forget(turn, error);
    }
  }

  private forget(turn: number, error: WorkflowCodeMissingError): void {
    this.refused.delete(turn);
    this.missing.served(error.definitionVersionId);
  }
}
