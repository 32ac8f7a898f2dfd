import type { OutboxMessage } from '../records.js';
import { MemoryTable } from './memory-table.js';

export interface OutboxRow extends OutboxMessage {
  /** From when on it may be claimed: `availableAt`, or the end of the lease; undefined once it is a dead letter. */
  readonly readyAt: number | undefined;
  readonly claimedBy?: string;
}

interface Entry {
  readonly turn: number;
  readonly readyAt: number;
  readonly number: number;
  readonly id: string;
}

/** Messages by id, and in the order in which they are claimed: by turn, then by time, then as they were added. */
export class MemoryOutboxTable extends MemoryTable<OutboxRow, 'instance'> {
  private readonly order: Entry[] = [];
  private readonly entries = new Map<string, Entry>();
  private added = 0;

  constructor() {
    super({ instance: (row) => row.workflowInstanceId });
  }

  override put(row: OutboxRow): void {
    const former = this.entries.get(row.id);
    this.leave(row.id);
    super.put(row);
    if (row.readyAt === undefined) return;
    const number = former?.number ?? this.added++;
    const entry = { turn: row.turn ?? 0, readyAt: row.readyAt, number, id: row.id };
    this.entries.set(row.id, entry);
    this.order.splice(this.indexOf(entry), 0, entry);
  }

  override delete(id: string): boolean {
    this.leave(id);
    return super.delete(id);
  }

  /** Those of the turns from `first` to `last` that are ready by then; turns without any cost a search each. */
  *ready(first: number, last: number, until: number): Generator<OutboxRow> {
    let at = this.indexOf({ turn: first, readyAt: -Infinity, number: -1 });
    for (let entry = this.order[at]; entry && entry.turn <= last; entry = this.order[at]) {
      if (entry.readyAt <= until) {
        yield this.get(entry.id)!;
        at++;
      } else at = this.indexOf({ turn: entry.turn + 1, readyAt: -Infinity, number: -1 });
    }
  }

  /** The lowest turn of a message that can be claimed, now or later, after that one. */
  nextTurn(after: number): number | undefined {
    return this.order[this.indexOf({ turn: after, readyAt: Infinity, number: Infinity })]?.turn;
  }

  /** The message of that turn that can be claimed first, now or later. */
  firstOf(turn: number): OutboxRow | undefined {
    const entry = this.order[this.indexOf({ turn, readyAt: -Infinity, number: -Infinity })];
    return entry?.turn === turn ? this.get(entry.id) : undefined;
  }

  private leave(id: string): void {
    const entry = this.entries.get(id);
    if (!entry) return;
    this.entries.delete(id);
    this.order.splice(this.indexOf(entry), 1);
  }

  /** Of the first entry that does not come before. */
  private indexOf(sought: Omit<Entry, 'id'>): number {
    let [low, high] = [0, this.order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(this.order[middle]!, sought) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function compare(left: Omit<Entry, 'id'>, right: Omit<Entry, 'id'>): number {
  return left.turn - right.turn || left.readyAt - right.readyAt || left.number - right.number;
}
