import { toErrorLike } from '@waymark/core/adapter';
import { backoffMs, type BackoffSteps } from '@waymark/runtime/adapter';
import type { DueRow } from './due-work.js';

/** Of a row that meets one fault of the store after the other, each of them when the store was back. */
const INTERRUPTED: BackoffSteps = { firstMs: 50, longestMs: 1000 };

/** What this node knows about a row that could not be fired. */
export interface FailedFiring {
  readonly dueAt: number;
  /** Those that failed; faults of the store do not count. */
  readonly attempts: number;
  readonly notBefore: number;
  readonly lastError: string;
}

interface Entry extends FailedFiring {
  /** Faults of the store since it failed last. */
  readonly interruptions: number;
}

/**
 * Rows that failed, with growing pauses. In memory only: the row stays due, so forgetting about its failures (a restart,
 * another node) means an early attempt, never a lost one.
 */
export class Retries {
  private readonly failed = new Map<string, Entry>();

  constructor(private readonly steps: BackoffSteps) {}

  get size(): number {
    return this.failed.size;
  }

  find({ id, dueAt }: DueRow): Entry | undefined {
    const entry = this.failed.get(id);
    return entry?.dueAt === dueAt.getTime() ? entry : undefined;
  }

  add(row: DueRow, now: number, error: unknown): FailedFiring {
    const failures = this.find(row)?.attempts ?? 0;
    const notBefore = now + backoffMs(failures, this.steps);
    return this.keep(row, { attempts: failures + 1, interruptions: 0, notBefore }, error);
  }

  /** It was the store that failed, not the row: it is tried again as soon as the store is back. */
  interrupt(row: DueRow, now: number, error: unknown): FailedFiring {
    const { attempts = 0, interruptions = 0 } = this.find(row) ?? {};
    const notBefore = now + backoffMs(interruptions, INTERRUPTED);
    return this.keep(row, { attempts, interruptions: interruptions + 1, notBefore }, error);
  }

  /** The clock was set: pauses would end by its old time. */
  endPauses(): void {
    for (const [id, entry] of this.failed) this.failed.set(id, { ...entry, notBefore: -Infinity });
  }

  /** Forgets rows that could be tried again now, but are not due any more: another node fired or deleted them. */
  keepOnly(due: ReadonlySet<string>, now: number): void {
    for (const [id, { notBefore }] of this.failed) if (notBefore <= now && !due.has(id)) this.failed.delete(id);
  }

  private keep(row: DueRow, known: Omit<Entry, 'dueAt' | 'lastError'>, error: unknown): Entry {
    const entry = { ...known, dueAt: row.dueAt.getTime(), lastError: toErrorLike(error).message };
    this.failed.set(row.id, entry);
    return entry;
  }
}
