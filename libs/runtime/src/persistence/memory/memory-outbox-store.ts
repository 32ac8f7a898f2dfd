import type { BuriedFilter, ClaimOptions, Lease, OutboxStore } from '../message-stores.js';
import type { Page, PagedResult } from '../paging.js';
import type { OutboxMessage } from '../records.js';
import { requireStorableMessages } from '../storable-rows.js';
import { isolate } from './isolate.js';
import type { MemoryData, OutboxRow } from './memory-data.js';
import { compareText, compareTime, window } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryOutboxStore implements OutboxStore {
  constructor(private readonly data: MemoryData) {}

  async add(messages: readonly OutboxMessage[]): Promise<void> {
    requireStorableMessages(messages);
    addMessages(this.data, isolate(messages));
  }

  async claim({ owner, limit, leaseMs, held, now, exceptKinds = [] }: ClaimOptions): Promise<OutboxMessage[]> {
    const time = timeOf({ now });
    const isLost = ({ id, claimedBy }: OutboxRow) => held !== undefined && claimedBy === owner && !held.includes(id);
    const ready = [...this.data.outbox.values()].filter(
      (row) => row.readyAt !== undefined && (row.readyAt <= time || isLost(row)) && !exceptKinds.includes(row.kind),
    );
    // The sort is stable, so messages of one time stay in the order in which they were added.
    ready.sort((left, right) => (left.readyAt ?? 0) - (right.readyAt ?? 0));
    return ready.slice(0, limit).map((row) => {
      const hasEnded = row.claimedBy !== undefined && row.readyAt! <= time;
      const attempts = row.attempts + (hasEnded ? 1 : 0);
      const claimed = { ...row, attempts, claimedBy: owner, readyAt: time + leaseMs };
      this.data.outbox.put(claimed);
      return toMessage(claimed);
    });
  }

  async renew(ids: readonly string[], { owner, leaseMs, now }: Lease): Promise<string[]> {
    const renewed: string[] = [];
    for (const id of ids) {
      const row = this.data.outbox.get(id);
      if (row?.readyAt === undefined || (row.claimedBy !== undefined && row.claimedBy !== owner)) continue;
      this.data.outbox.put({ ...row, claimedBy: owner, readyAt: timeOf({ now }) + leaseMs });
      renewed.push(id);
    }
    return renewed;
  }

  async release(id: string, error: string, availableAt: Date): Promise<void> {
    const row = this.data.outbox.get(id);
    if (!row || row.readyAt === undefined) return;
    this.data.outbox.put({
      ...row,
      attempts: row.attempts + 1,
      lastError: error,
      availableAt: new Date(availableAt),
      readyAt: availableAt.getTime(),
      claimedBy: undefined,
    });
  }

  async postpone(id: string, availableAt: Date): Promise<void> {
    const row = this.data.outbox.get(id);
    if (!row || row.readyAt === undefined) return;
    const readyAt = availableAt.getTime();
    this.data.outbox.put({ ...row, availableAt: new Date(readyAt), readyAt, claimedBy: undefined });
  }

  async delete(id: string): Promise<boolean> {
    return this.data.outbox.delete(id);
  }

  async bury(id: string, error: string): Promise<void> {
    const row = this.data.outbox.get(id);
    if (!row || row.readyAt === undefined) return;
    this.data.outbox.put({
      ...row,
      attempts: row.attempts + 1,
      lastError: error,
      readyAt: undefined,
      claimedBy: undefined,
    });
  }

  async findBuried({ id, kind }: BuriedFilter, page?: Page): Promise<PagedResult<OutboxMessage>> {
    const rows = [...this.data.outbox.values()].filter(
      (row) =>
        row.readyAt === undefined && (id === undefined || row.id === id) && (kind === undefined || row.kind === kind),
    );
    rows.sort((left, right) => compareTime(right.createdAt, left.createdAt) || compareText(right.id, left.id));
    const { items, totalCount } = window(rows, page);
    return { items: items.map(toMessage), totalCount };
  }

  async revive(id: string, availableAt: Date): Promise<boolean> {
    const row = this.data.outbox.get(id);
    if (!row || row.readyAt !== undefined) return false;
    const readyAt = availableAt.getTime();
    this.data.outbox.put({ ...row, attempts: 0, availableAt: new Date(readyAt), readyAt });
    return true;
  }

  async count(): Promise<{ waiting: number; buried: number }> {
    let waiting = 0;
    for (const row of this.data.outbox.values()) if (row.readyAt !== undefined) waiting++;
    return { waiting, buried: this.data.outbox.size - waiting };
  }
}

/** @param messages private copies */
export function addMessages(data: MemoryData, messages: readonly OutboxMessage[]): void {
  for (const message of messages) {
    if (!data.outbox.has(message.id)) data.outbox.put({ ...message, readyAt: message.availableAt.getTime() });
  }
}

function toMessage(row: OutboxRow): OutboxMessage {
  const { readyAt: _readyAt, claimedBy: _claimedBy, ...message } = row;
  return isolate(message);
}
