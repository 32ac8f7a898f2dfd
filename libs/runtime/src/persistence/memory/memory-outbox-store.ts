import type {
  OutboxDeadLetterFilter,
  ClaimOptions,
  FanOut,
  Lease,
  OutboxStore,
  RenewedClaims,
  WaitingTurn,
} from '../message-stores.js';
import type { IdPage, Page, PagedResult } from '../paging.js';
import { MessageConsumedError } from '../persistence-errors.js';
import type { OutboxMessage } from '../records.js';
import { requireStorableMessages } from '../storable-rows.js';
import { matchesOutboxDeadLetter } from './dead-letter-filters.js';
import { isolate } from './isolate.js';
import { findBookmarks } from './memory-bookmark-store.js';
import type { MemoryData } from './memory-data.js';
import type { OutboxRow } from './memory-outbox-table.js';
import { compareText, compareTime, idWindow, window } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryOutboxStore implements OutboxStore {
  constructor(private readonly data: MemoryData) {}

  async add(messages: readonly OutboxMessage[]): Promise<void> {
    requireStorableMessages(messages);
    addMessages(this.data, isolate(messages));
  }

  async addOnce(message: OutboxMessage): Promise<boolean> {
    requireStorableMessages([message]);
    if (this.data.outbox.has(message.id)) return false;
    addMessages(this.data, isolate([message]));
    return true;
  }

  async fanOut({
    id,
    filter,
    kind,
    payload,
    createdAt,
    availableAt,
    exceptBookmarkIds,
    messages,
    consumedMessageId,
    isForSome,
  }: FanOut): Promise<number> {
    requireStorableMessages(messages);
    const except = new Set(exceptBookmarkIds);
    const chosen = findBookmarks(this.data, filter).filter((row) => !except.has(row.id));
    const each = chosen.map((row, index): OutboxMessage => ({
      id: `${id}/${index + 1}`,
      workflowInstanceId: row.workflowInstanceId,
      kind,
      payload: { ...payload, bookmarkId: row.id },
      createdAt,
      availableAt,
      attempts: 0,
    }));
    const rows = isolate([...messages, ...each]);
    if (consumedMessageId !== undefined && !this.data.outbox.has(consumedMessageId))
      throw new MessageConsumedError(consumedMessageId);
    if (isForSome && each.length === 0) return 0;
    if (consumedMessageId !== undefined) this.data.outbox.delete(consumedMessageId);
    addMessages(this.data, rows);
    return each.length;
  }

  async hasFanOut(id: string): Promise<boolean> {
    for (const row of this.data.outbox.values()) if (row.id.startsWith(`${id}/`)) return true;
    return false;
  }

  async find(id: string): Promise<OutboxMessage | undefined> {
    const row = this.data.outbox.get(id);
    return row && toMessage(row);
  }

  async claim(options: ClaimOptions): Promise<OutboxMessage[]> {
    const { owner, limit, leaseMs, long, waiting = [], ...given } = options;
    const time = timeOf(given);
    // The sort is stable, so messages of one time stay in the order in which they were added.
    const rows = long
      ? [
          ...this.claimable(options, 0, 0, limit),
          ...this.claimable(options, Math.max(1, long.fromTurn ?? 1), Infinity, long.limit),
          ...waiting.flatMap(({ turn, limit: most }) => this.claimable(options, turn, turn, most)),
        ]
      : this.claimable(options, -Infinity, Infinity, Infinity)
          .sort((left, right) => (left.readyAt ?? 0) - (right.readyAt ?? 0))
          .slice(0, limit);
    return rows.map((row) => {
      const hasEnded = row.claimedBy !== undefined && row.readyAt! <= time;
      // What it failed with before says nothing about an attempt that ended with its node.
      const ended = hasEnded ? { attempts: row.attempts + 1, lastError: undefined } : {};
      const claimed = { ...row, ...ended, claimedBy: owner, readyAt: time + leaseMs };
      this.data.outbox.put(claimed);
      return toMessage(claimed);
    });
  }

  /** In the order of their turns, and of the times at which they are ready. */
  private claimable(options: ClaimOptions, firstTurn: number, lastTurn: number, limit: number): OutboxRow[] {
    const { owner, leaseMs, held, exceptKinds = [] } = options;
    const time = timeOf(options);
    const isLost = ({ id, claimedBy }: OutboxRow) => held !== undefined && claimedBy === owner && !held.includes(id);
    const found: OutboxRow[] = [];
    if (limit === 0) return found;
    // No lease ends later.
    for (const row of this.data.outbox.ready(firstTurn, lastTurn, held ? time + leaseMs : time)) {
      if ((row.readyAt! > time && !isLost(row)) || exceptKinds.includes(row.kind)) continue;
      if (found.push(row) === limit) break;
    }
    return found;
  }

  async renew(ids: readonly string[], { owner, leaseMs, now }: Lease): Promise<RenewedClaims> {
    const renewed: string[] = [];
    for (const id of ids) {
      const row = this.data.outbox.get(id);
      if (row?.readyAt === undefined || (row.claimedBy !== undefined && row.claimedBy !== owner)) continue;
      this.data.outbox.put({ ...row, claimedBy: owner, readyAt: timeOf({ now }) + leaseMs });
      renewed.push(id);
    }
    return { renewed, locked: [] };
  }

  async release(id: string, error: string, availableAt: Date, owner?: string): Promise<void> {
    const row = this.heldBy(id, owner);
    if (!row) return;
    this.data.outbox.put({
      ...row,
      attempts: row.attempts + 1,
      lastError: error,
      availableAt: new Date(availableAt),
      readyAt: availableAt.getTime(),
      claimedBy: undefined,
      writtenBy: undefined,
    });
  }

  async giveUpClaims(ids: readonly string[], owner: string): Promise<void> {
    for (const id of ids) {
      const row = this.data.outbox.get(id);
      if (row?.readyAt !== undefined && row.claimedBy === owner)
        this.data.outbox.put({ ...row, claimedBy: undefined, writtenBy: owner });
    }
  }

  async postpone(id: string, availableAt: Date, owner?: string): Promise<void> {
    const row = this.heldBy(id, owner);
    if (!row) return;
    const readyAt = availableAt.getTime();
    this.data.outbox.put({
      ...row,
      availableAt: new Date(readyAt),
      readyAt,
      claimedBy: undefined,
      writtenBy: undefined,
    });
  }

  async letWait(ids: readonly string[], { turn, owner, availableAt }: WaitingTurn): Promise<void> {
    const readyAt = availableAt.getTime();
    for (const id of ids) {
      const row = this.data.outbox.get(id);
      if (row?.readyAt === undefined || (row.claimedBy !== undefined && row.claimedBy !== owner)) continue;
      this.data.outbox.put({
        ...row,
        turn,
        availableAt: new Date(readyAt),
        readyAt,
        claimedBy: undefined,
        writtenBy: undefined,
      });
    }
  }

  async endWait(workflowInstanceId: string, turn: number, availableAt: Date): Promise<number> {
    const readyAt = availableAt.getTime();
    const waiting = [...this.data.outbox.find('instance', workflowInstanceId)].filter(
      (row) => row.turn === turn && row.readyAt !== undefined && row.claimedBy === undefined,
    );
    for (const { turn: _, ...row } of waiting)
      this.data.outbox.put({ ...row, availableAt: new Date(readyAt), readyAt });
    return waiting.length;
  }

  async endPauses(workflowInstanceId: string, kinds: readonly string[], availableAt: Date): Promise<number> {
    const readyAt = availableAt.getTime();
    const paused = [...this.data.outbox.find('instance', workflowInstanceId)].filter(
      ({ kind, readyAt: at = 0, claimedBy, writtenBy }) =>
        kinds.includes(kind) && at > readyAt && claimedBy === undefined && writtenBy === undefined,
    );
    for (const row of paused) this.data.outbox.put({ ...row, availableAt: new Date(readyAt), readyAt });
    return paused.length;
  }

  async findWaitingTurns(limit: number, after = -Infinity): Promise<number[]> {
    const turns: number[] = [];
    for (let turn = this.data.outbox.nextTurn(after); turn !== undefined; turn = this.data.outbox.nextTurn(turn)) {
      if (turn >= 0 || turns.length === limit) break;
      turns.push(turn);
    }
    return turns;
  }

  async oldestAt(turn: number): Promise<Date | undefined> {
    return this.data.outbox.firstOf(turn)?.createdAt;
  }

  async delete(id: string): Promise<boolean> {
    return this.data.outbox.delete(id);
  }

  async moveToDeadLetters(id: string, error: string, owner?: string): Promise<void> {
    const row = this.heldBy(id, owner);
    if (!row) return;
    this.data.outbox.put({
      ...row,
      attempts: row.attempts + 1,
      lastError: error,
      readyAt: undefined,
      claimedBy: undefined,
    });
  }

  async findDeadLetters(filter: OutboxDeadLetterFilter, page?: Page): Promise<PagedResult<OutboxMessage>> {
    const rows = this.deadLetters(filter);
    rows.sort((left, right) => compareTime(right.createdAt, left.createdAt) || compareText(right.id, left.id));
    const { items, ...total } = window(rows, page);
    return { items: items.map(toMessage), ...total };
  }

  async findDeadLettersAfter(filter: OutboxDeadLetterFilter, page: IdPage): Promise<OutboxMessage[]> {
    return idWindow(this.deadLetters(filter), page).map(toMessage);
  }

  async revive(ids: readonly string[], availableAt: Date): Promise<number> {
    const readyAt = availableAt.getTime();
    const rows = this.deadLetters({ ids });
    for (const row of rows)
      this.data.outbox.put({ ...row, attempts: 0, lastError: undefined, availableAt: new Date(readyAt), readyAt });
    return rows.length;
  }

  async deleteDeadLetters(ids: readonly string[]): Promise<number> {
    const rows = this.deadLetters({ ids });
    for (const { id } of rows) this.data.outbox.delete(id);
    return rows.length;
  }

  async purgeDeadLetters(before: Date, limit: number): Promise<number> {
    const old = this.deadLetters({}).filter(({ availableAt }) => availableAt < before);
    old.sort((left, right) => compareTime(left.createdAt, right.createdAt) || compareText(left.id, right.id));
    const purged = old.slice(0, limit);
    for (const { id } of purged) this.data.outbox.delete(id);
    return purged.length;
  }

  async count(): Promise<{ waiting: number; deadLetters: number }> {
    let waiting = 0;
    for (const row of this.data.outbox.values()) if (row.readyAt !== undefined) waiting++;
    return { waiting, deadLetters: this.data.outbox.size - waiting };
  }

  /** A message that is neither a dead letter nor another node's. */
  private heldBy(id: string, owner: string | undefined) {
    const row = this.data.outbox.get(id);
    if (row?.readyAt === undefined) return undefined;
    return owner === undefined || row.claimedBy === undefined || row.claimedBy === owner ? row : undefined;
  }

  private deadLetters(filter: OutboxDeadLetterFilter): OutboxRow[] {
    return [...this.data.outbox.values()].filter(
      (row) => row.readyAt === undefined && matchesOutboxDeadLetter(filter, row),
    );
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
