import type { AuditCursor, AuditEntry, AuditFilter, AuditPage, AuditStore } from '../audit-store.js';
import { isolate } from './isolate.js';
import { compareText, compareTime, type Comparer } from './ordering.js';

/** Without a limit a process that lives long enough runs out of memory. */
const MOST_ENTRIES = 10_000;

const newestFirst: Comparer<AuditCursor> = (left, right) =>
  compareTime(right.at, left.at) || compareText(right.id, left.id);

/** The entries that were added last, 10,000 at most. */
export class MemoryAuditStore implements AuditStore {
  /** In the order in which they were added. */
  private readonly entries = new Map<string, AuditEntry>();

  async add(entries: readonly AuditEntry[]): Promise<void> {
    const taken = entries.find(({ id }) => this.entries.has(id));
    if (taken) throw new Error(`Audit entry "${taken.id}" already exists.`);
    for (const entry of isolate(entries)) this.entries.set(entry.id, entry);
    for (const id of this.entries.keys()) {
      if (this.entries.size <= MOST_ENTRIES) break;
      this.entries.delete(id);
    }
  }

  async find(filter: AuditFilter, { limit, after }: AuditPage): Promise<AuditEntry[]> {
    const found = [...this.entries.values()].filter(
      (entry) => matches(entry, filter) && (!after || newestFirst(after, entry) < 0),
    );
    return isolate(found.sort(newestFirst).slice(0, limit));
  }

  async purge(before: Date, limit: number): Promise<number> {
    const old = [...this.entries.values()].filter(({ at }) => at < before);
    const gone = old.sort(newestFirst).reverse().slice(0, limit);
    for (const { id } of gone) this.entries.delete(id);
    return gone.length;
  }
}

function matches(entry: AuditEntry, { targetId, from, to, ...equal }: AuditFilter): boolean {
  const { at, targetIds } = entry;
  if ((from && at < from) || (to && at >= to)) return false;
  if (targetId !== undefined && !targetIds.includes(targetId)) return false;
  const members = Object.entries(equal) as [keyof typeof equal, string | undefined][];
  return members.every(([member, value]) => value === undefined || entry[member] === value);
}
