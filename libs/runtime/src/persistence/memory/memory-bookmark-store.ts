import type {
  BookmarkFilter,
  BookmarkStore,
  ClaimedBookmark,
  ClaimedBookmarks,
  DueClaimOptions,
  TimedWindow,
} from '../lookup-stores.js';
import type { Lease, RenewedClaims } from '../message-stores.js';
import { requireCondition } from '../persistence-errors.js';
import type { StoredBookmark } from '../records.js';
import { matchesBookmark } from './filters.js';
import { isolate } from './isolate.js';
import { type BookmarkClaim, type MemoryData, waitingKey } from './memory-data.js';
import { byAge, compareText, compareTime } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryBookmarkStore implements BookmarkStore {
  constructor(private readonly data: MemoryData) {}

  async findMany(filter: BookmarkFilter, limit = Infinity): Promise<StoredBookmark[]> {
    return isolate(findBookmarks(this.data, filter).slice(0, limit));
  }

  async hasName(name: string): Promise<boolean> {
    for (const row of this.data.bookmarks.values()) if (row.name === name) return true;
    return false;
  }

  async findDue(before: Date, limit: number): Promise<StoredBookmark[]> {
    return isolate(this.dueBy(before).slice(0, limit));
  }

  async findTimed({ limit, before, after, workflowInstanceId, names }: TimedWindow): Promise<StoredBookmark[]> {
    const isListed = (row: StoredBookmark): boolean =>
      (after === undefined || (compareTime(row.dueAt, after.dueAt) || compareText(row.id, after.id)) > 0) &&
      (workflowInstanceId === undefined || row.workflowInstanceId === workflowInstanceId) &&
      (names === undefined || names.includes(row.name));
    return isolate(
      this.dueBy(before ?? new Date(8.64e15))
        .filter(isListed)
        .slice(0, limit),
    );
  }

  async clearDueTimes(ids: readonly string[]): Promise<number> {
    const rows = [...new Set(ids)].flatMap((id) => this.data.bookmarks.get(id) ?? []).filter(({ dueAt }) => dueAt);
    for (const { dueAt: _dueAt, ...row } of rows) this.data.bookmarks.put(row);
    return rows.length;
  }

  async claimDue(options: DueClaimOptions): Promise<ClaimedBookmarks> {
    const { owner, limit, leaseMs, lookAheadMs, held, now, exceptInstanceIds = [] } = options;
    const { bookmarks, bookmarkClaims } = this.data;
    for (const id of bookmarkClaims.keys()) if (!bookmarks.has(id)) bookmarkClaims.delete(id);
    const time = timeOf({ now });
    const until = time + lookAheadMs;
    const known = held && new Set(held);
    const isLost = (id: string) => known && bookmarkClaims.get(id)?.owner === owner && !known.has(id);
    const readyAt = (row: StoredBookmark) => (isLost(row.id) ? row.dueAt!.getTime() : readyTime(this.data, row));
    const except = new Set(exceptInstanceIds);
    const free: StoredBookmark[] = [];
    let next = Infinity;
    const last = new Date(until);
    // Asked again and again while an instance of ten thousand branches goes through them: only what is free is put in order.
    for (const row of bookmarks.find('due', 'due')) {
      if (compareTime(row.dueAt, last) > 0) continue;
      const at = readyAt(row);
      if (at > time) next = at <= until ? Math.min(next, at) : next;
      else if (!except.has(row.workflowInstanceId)) free.push(row);
    }
    free.sort(byDueTime);
    const claimed = options.along ? this.withOthers(free, limit, options.along, owner, time) : free.slice(0, limit);
    const hasMore = claimed.length >= limit;
    const wasClaimed = (claim: BookmarkClaim | undefined) => claim?.owner !== undefined && claim.until <= time;
    const answered = claimed.map((row) => toClaimed(row, wasClaimed(bookmarkClaims.get(row.id))));
    for (const { id } of claimed) bookmarkClaims.set(id, { owner, until: time + leaseMs });
    const nextAt = !hasMore && next < Infinity ? new Date(next) : undefined;
    return { bookmarks: answered, now: new Date(time), nextAt, hasMore };
  }

  /** The first ones, and others of their instances; nothing of instances that another node is resuming. */
  private withOthers(
    free: readonly StoredBookmark[],
    limit: number,
    along: number,
    owner: string,
    time: number,
  ): StoredBookmark[] {
    const others = new Map<string, boolean>();
    const isOthers = (id: string) => {
      let known = others.get(id);
      if (known === undefined) others.set(id, (known = this.isHeldByOther(id, owner, time)));
      return known;
    };
    const first: StoredBookmark[] = [];
    for (const row of free) {
      if (first.length >= limit) break;
      if (!isOthers(row.workflowInstanceId)) first.push(row);
    }
    if (first.length < limit) return first;
    const chosen = new Set(first);
    const instances = new Set(first.map(({ workflowInstanceId }) => workflowInstanceId));
    const more = free.filter((row) => instances.has(row.workflowInstanceId) && !chosen.has(row));
    for (const row of more.slice(0, along)) chosen.add(row);
    return free.filter((row) => chosen.has(row));
  }

  private isHeldByOther(instanceId: string, owner: string, time: number): boolean {
    for (const { id } of this.data.bookmarks.find('instance', instanceId)) {
      const claim = this.data.bookmarkClaims.get(id);
      if (claim?.owner !== undefined && claim.owner !== owner && claim.until > time) return true;
    }
    return false;
  }

  async renewClaims(ids: readonly string[], { owner, leaseMs, now }: Lease): Promise<RenewedClaims> {
    const { bookmarks, bookmarkClaims } = this.data;
    const mine = ids.filter((id) => bookmarkClaims.get(id)?.owner === owner && bookmarks.has(id));
    for (const id of mine) bookmarkClaims.set(id, { owner, until: timeOf({ now }) + leaseMs });
    return { renewed: mine, locked: [] };
  }

  async releaseClaim(id: string, owner: string, availableAt: Date): Promise<void> {
    const { bookmarkClaims } = this.data;
    if (bookmarkClaims.get(id)?.owner === owner)
      bookmarkClaims.set(id, { owner: undefined, until: availableAt.getTime() });
  }

  private dueBy(before: Date): StoredBookmark[] {
    const due = [...this.data.bookmarks.find('due', 'due')].filter((row) => compareTime(row.dueAt, before) <= 0);
    return due.sort(byDueTime);
  }
}

function byDueTime(left: StoredBookmark, right: StoredBookmark): number {
  return compareTime(left.dueAt, right.dueAt) || compareText(left.id, right.id);
}

/** The rows themselves, oldest first. */
export function findBookmarks(data: MemoryData, filter: BookmarkFilter): StoredBookmark[] {
  requireCondition('bookmark', filter);
  return candidates(data, filter)
    .filter((row) => matchesBookmark(filter, row))
    .sort(byAge);
}

/** The smallest set that an index gives; the filter decides. */
function candidates({ bookmarks }: MemoryData, filter: BookmarkFilter): StoredBookmark[] {
  const { ids, hash, hashes, workflowInstanceId, workflowInstanceIds, correlationId } = filter;
  if (ids) return [...new Set(ids)].flatMap((id) => bookmarks.get(id) ?? []);
  // An instance with ten thousand branches has one for most stimuli.
  const isOfFew =
    hash !== undefined && bookmarks.count('hash', hash) <= bookmarks.count('instance', workflowInstanceId ?? '');
  if (workflowInstanceId !== undefined && !isOfFew) return [...bookmarks.find('instance', workflowInstanceId)];
  if (hash !== undefined && correlationId !== undefined)
    return [...bookmarks.find('waiting', waitingKey(hash, correlationId))];
  if (hash !== undefined) return [...bookmarks.find('hash', hash)];
  if (hashes) return [...new Set(hashes)].flatMap((each) => [...bookmarks.find('hash', each)]);
  if (workflowInstanceIds)
    return [...new Set(workflowInstanceIds)].flatMap((id) => [...bookmarks.find('instance', id)]);
  return [...bookmarks.values()];
}

/** From when on it may be claimed. */
export function readyTime({ bookmarkClaims }: MemoryData, { id, dueAt }: StoredBookmark): number {
  return Math.max(dueAt?.getTime() ?? Infinity, bookmarkClaims.get(id)?.until ?? -Infinity);
}

const toClaimed = ({ id, name, workflowInstanceId, dueAt }: StoredBookmark, wasClaimed: boolean): ClaimedBookmark => ({
  ...{ id, name, workflowInstanceId },
  dueAt: new Date(dueAt!),
  ...(wasClaimed ? { wasClaimed } : {}),
});
