import { toErrorLike } from '@waymark/core/adapter';
import { backoffMs, type BackoffSteps } from '@waymark/runtime/adapter';
import type { DueRow } from './due-work.js';

/** Between two lines in the log about a row that fails as it did before: a damaged one fails every five minutes until it is repaired. */
const SAME_LOGGED_EVERY_MS = 3_600_000;
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
  /** The error that the log has, and when it got it. */
  readonly logged?: { readonly error: string; readonly at: number } | undefined;
}

/** What the log is to say of a failure: all of it, the number of attempts, or nothing since it said the same of the row lately. */
export type LogOfFailure = 'whole' | 'again' | undefined;

/**
 * Rows that failed, with growing pauses. In memory only: the row stays due, so forgetting about its failures (a restart,
 * another node) means an early attempt, never a lost one.
 */
export class Retries {
  private readonly failing = new Map<string, Entry>();

  constructor(private readonly steps: BackoffSteps) {}

  get size(): number {
    return this.failing.size;
  }

  /** Ids of rows that have failed. Those that a fault of the store interrupted have not. */
  get failed(): ReadonlySet<string> {
    return new Set([...this.failing].flatMap(([id, { attempts }]) => (attempts > 0 ? [id] : [])));
  }

  find({ id, dueAt }: DueRow): Entry | undefined {
    const entry = this.failing.get(id);
    return entry?.dueAt === dueAt.getTime() ? entry : undefined;
  }

  add(row: DueRow, now: number, error: unknown): FailedFiring & { readonly log: LogOfFailure } {
    const { attempts: failures = 0, logged } = this.find(row) ?? {};
    const notBefore = now + backoffMs(failures, this.steps);
    const { message } = toErrorLike(error);
    const isSame = logged?.error === message;
    // A clock that was set back does not keep it silent for longer.
    const isLate = isSame && Math.abs(now - logged.at) >= SAME_LOGGED_EVERY_MS;
    const kept = isSame && !isLate ? logged : { error: message, at: now };
    const entry = this.keep(row, { attempts: failures + 1, interruptions: 0, notBefore, logged: kept }, error);
    return { ...entry, log: isSame ? (isLate ? 'again' : undefined) : 'whole' };
  }

  /** It was the store that failed, not the row: it is tried again as soon as the store is back. */
  interrupt(row: DueRow, now: number, error: unknown): FailedFiring {
    const { attempts = 0, interruptions = 0, logged } = this.find(row) ?? {};
    const notBefore = now + backoffMs(interruptions, INTERRUPTED);
    return this.keep(row, { attempts, interruptions: interruptions + 1, notBefore, logged }, error);
  }

  /** The clock was set: pauses would end by its old time. */
  endPauses(): void {
    for (const [id, entry] of this.failing) this.failing.set(id, { ...entry, notBefore: -Infinity });
  }

  /** Forgets rows that could be tried again now, but are not due any more: another node fired or deleted them. */
  keepOnly(due: ReadonlySet<string>, now: number): void {
    for (const [id, { notBefore }] of this.failing) if (notBefore <= now && !due.has(id)) this.failing.delete(id);
  }

  private keep(row: DueRow, known: Omit<Entry, 'dueAt' | 'lastError'>, error: unknown): Entry {
    const entry = { ...known, dueAt: row.dueAt.getTime(), lastError: toErrorLike(error).message };
    this.failing.set(row.id, entry);
    return entry;
  }
}
