import type { ActivityExecutionRecord } from '@waymark/core';
import { NumberSet } from './number-set.js';

/** Earlier than any number, so that what was imported stands before what ran here. */
const BEFORE_ALL_NUMBERS = 1e16;

/**
 * The number in an id of an activity execution, which is that of its instance, a dash, and a number counted within it.
 * Undefined for executions that were imported from elsewhere.
 */
export function executionNumber(instanceId: string, executionId: string): number | undefined {
  if (!executionId.startsWith(`${instanceId}-`)) return undefined;
  const digits = executionId.slice(instanceId.length + 1);
  const number = Number.parseInt(digits, 36);
  return Number.isSafeInteger(number) && number >= 0 && number.toString(36) === digits ? number : undefined;
}

/** Returns the place of an execution among those of its instance, in the order in which they were started. */
export function executionRank(instanceId: string, { id, startedAt }: ActivityExecutionRecord): number {
  return executionNumber(instanceId, id) ?? startedAt.getTime() - BEFORE_ALL_NUMBERS;
}

/** Activity executions of one instance: a bit for each that ran here, a time for each that was imported from elsewhere. */
export class ExecutionSet {
  private readonly own = new NumberSet();
  private readonly foreign = new Map<string, number>();

  constructor(private readonly instanceId: string) {}

  /** How many executions it has. */
  get size(): number {
    return this.foreign.size + this.own.size;
  }

  /** Adds an execution. @returns whether it was not there */
  add(record: ActivityExecutionRecord): boolean {
    const number = executionNumber(this.instanceId, record.id);
    if (number !== undefined) return this.own.add(number);
    if (this.foreign.has(record.id)) return false;
    this.foreign.set(record.id, record.startedAt.getTime());
    return true;
  }

  /** Ids in the order in which they were started. @param take at most */
  slice(skip: number, take: number): string[] {
    // A journal is read from its end: what began in one millisecond is in the order in which it was written.
    const foreign = [...this.foreign]
      .reverse()
      .sort(([, left], [, right]) => left - right)
      .map(([id]) => id);
    const first = foreign.slice(skip, skip + take);
    const own = this.own.slice(Math.max(0, skip - foreign.length), take - first.length);
    return [...first, ...own.map((number) => `${this.instanceId}-${number.toString(36)}`)];
  }
}
