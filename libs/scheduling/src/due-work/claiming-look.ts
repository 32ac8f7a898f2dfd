import type { DueLook, DueRow, DueRows } from './due-work.js';

/** After that time, what other nodes were claiming is looked at again: it may be due still, should they have failed. */
const LOST_AGAIN_MS = 100;

/** What the store has found. */
export interface Found<Row> {
  /** Due ones and those that will be soon, earliest first. */
  readonly rows: readonly Row[];
  /** As many were asked for. */
  readonly limit: number;
  /** The time of the store by which they are due or not. */
  readonly decidedAt: Date;
}

/** Rows that this look has to read: past those that are being fired or wait for a retry, and one more to know whether there are others. */
export const readBy = ({ held, free }: DueLook): number => held + free + 1;

/**
 * Claims what a look has found due, together. Those that another node has claimed meanwhile are left out.
 * @param claim answers by row id: undefined for what is another node's by now; rows that are not in it claim for themselves
 */
export async function claimingLook<Row extends DueRow, Claimed>(
  { free, held, running }: DueLook,
  { rows, limit, decidedAt }: Found<Row>,
  claim: (due: readonly Row[]) => Promise<ReadonlyMap<string, Claimed | undefined>>,
): Promise<DueRows<Row & { readonly claimed?: Claimed }>> {
  // Occurrences of one row follow one another on a node.
  const isRunning = new Set(running);
  const waiting = rows.filter(({ id, dueAt }) => dueAt <= decidedAt && !isRunning.has(id));
  // Past those that wait for a retry, or they would keep others from being fired.
  const most = free + held - isRunning.size;
  const due = waiting.slice(0, most);
  // Places that become free meanwhile are for the next look, which claims as well: one by one, each would cost two commits.
  const left = new Set(waiting.slice(most));
  const hasMore = left.size > 0 || (rows.length === limit && rows.at(-1)!.dueAt <= decidedAt);
  const claimed = await claim(due);
  const found = rows.flatMap((row): (Row & { readonly claimed?: Claimed })[] => {
    if (left.has(row)) return [];
    if (!claimed.has(row.id)) return [row];
    const mine = claimed.get(row.id);
    return mine ? [{ ...row, claimed: mine }] : [];
  });
  const isLost = found.length + left.size < rows.length;
  const nextAt = isLost ? new Date(decidedAt.getTime() + LOST_AGAIN_MS) : undefined;
  return { rows: found, hasMore, nextAt, decidedAt };
}
