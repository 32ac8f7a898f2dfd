import { toErrorLike } from '@waymark/core';
import type { DueRow } from './due-work.js';

/** What this node knows about a row that could not be fired. */
export interface FailedFiring {
  readonly dueAt: number;
  readonly attempts: number;
  readonly notBefore: number;
  readonly lastError: string;
}

/**
 * Rows that failed, with growing pauses. In memory only: the row stays due, so forgetting about its failures (a restart,
 * another node) means an early attempt, never a lost one.
 */
export class Retries {
  private readonly failed = new Map<string, FailedFiring>();

  constructor(
    private readonly minMs: number,
    private readonly maxMs: number,
  ) {}

  get size(): number {
    return this.failed.size;
  }

  find({ id, dueAt }: DueRow): FailedFiring | undefined {
    const entry = this.failed.get(id);
    return entry?.dueAt === dueAt.getTime() ? entry : undefined;
  }

  /** When it may be tried again. */
  add(row: DueRow, now: number, error: unknown): FailedFiring {
    const attempts = (this.find(row)?.attempts ?? 0) + 1;
    const pause = Math.min(this.minMs * 2 ** (attempts - 1), this.maxMs);
    const entry = {
      dueAt: row.dueAt.getTime(),
      attempts,
      notBefore: now + pause,
      lastError: toErrorLike(error).message,
    };
    this.failed.set(row.id, entry);
    return entry;
  }

  /** Forgets rows that could be tried again now, but are not due any more: somebody fired or deleted them. */
  keepOnly(due: ReadonlySet<string>, now: number): void {
    for (const [id, { notBefore }] of this.failed) if (notBefore <= now && !due.has(id)) this.failed.delete(id);
  }
}
