import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { IBookmarkResumer, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import {
  type ClaimedBookmark,
  type ClaimedBookmarks,
  DueResumes,
  isStoreOutage,
  type Lease,
  type ResolvedRuntimeOptions,
  RUNTIME_OPTIONS,
  StoreOutages,
} from '@waymark/runtime/adapter';
import { ClaimLeases } from './claim-leases.js';
import type { DueLook, DueRows, DueWork } from './due-work.js';

/** Bookmark consumed; bookmark not found; instance not found; instance ended: another caller saw to it. */
const NO_LONGER_WAITING = ['WM7002', 'WM3004', 'WM3001', 'WM3003'];

/** Further due bookmarks of the same instances that a look claims along, so that one burst resumes many. */
const ALONG = 1000;

/**
 * How long a new claim holds: when its node dies, another one resumes the instance after that time. Long enough for a node whose
 * event loop is blocked by activities that compute: with 1.5 seconds, other nodes ran the same activities again.
 */
const FIRST_LEASE_MS = 10_000;

/** How long a claim holds from its first renewal on: a node that cannot reach the store for a while keeps its long bursts. */
export const LEASE_MS = 30_000;

/** The longest claim of what a message resumes. It may wait for days, for a node that has the code. */
const LONGEST_LEFT_MS = 300_000;

/** A bookmark that was left to a message. */
interface Left {
  /** How often it was found due. */
  readonly times: number;
  /** Until when its claim may hold: it is not lost. */
  readonly heldUntil: number;
}

/**
 * Resumes instances whose waiting time is over. A claim, renewed while the burst runs, makes one node do it; the commit
 * that resumes consumes the bookmark (W2), whichever node has claimed it.
 */
@Injectable()
export class DueBookmarks implements DueWork<ClaimedBookmark> {
  readonly kind = 'bookmark';
  readonly mayWait = true;
  private readonly leases: ClaimLeases;
  private readonly owner: string;
  /** An answer was lost, so the store may hold claims that this node does not know of. Looks search for them until their lease ends. */
  private lostUntil = -Infinity;
  private readonly left = new Map<string, Left>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: IBookmarkResumer,
    private readonly resumes: DueResumes,
    private readonly clock: WorkflowClock,
    outages: StoreOutages,
    @Inject(RUNTIME_OPTIONS) { nodeName }: Pick<ResolvedRuntimeOptions, 'nodeName'>,
  ) {
    this.owner = nodeName;
    const renew = (ids: readonly string[], ms: number) => persistence.bookmarks.renewClaims(ids, this.lease(ms));
    this.leases = new ClaimLeases(clock, outages, { firstMs: FIRST_LEASE_MS, furtherMs: LEASE_MS }, renew);
  }

  async find(look: DueLook): Promise<DueRows<ClaimedBookmark>> {
    const { bookmarks, hasMore, nextAt, now: decidedAt } = await this.claim(look);
    // What it resumes still it has not died of: its claim ended before it was renewed.
    const running = new Set(look.running);
    const isInterrupted = ({ id, wasClaimed }: ClaimedBookmark) => wasClaimed === true && !running.has(id);
    const interrupted = bookmarks.filter(isInterrupted);
    if (interrupted.length > 0) await this.leaveToMessages(interrupted);
    const rows = bookmarks.filter((bookmark) => !isInterrupted(bookmark));
    for (const { id } of rows) this.leases.wait(id);
    return { rows, hasMore, nextAt, decidedAt };
  }

  async fire(bookmark: ClaimedBookmark): Promise<null> {
    this.leases.add(bookmark.id);
    try {
      await this.resume(bookmark);
      return null;
    } catch (error) {
      // The store could not be asked to release the claim.
      if (isStoreOutage(error)) this.lostAClaim();
      throw error;
    } finally {
      this.leases.delete(bookmark.id);
    }
  }

  /** Of a shutdown that no longer waits for what is being resumed. */
  giveUp(): void {
    this.leases.end();
  }

  async giveBack({ id }: ClaimedBookmark, availableAt: Date): Promise<void> {
    this.leases.delete(id);
    try {
      await this.persistence.bookmarks.releaseClaim(id, this.owner, availableAt);
    } catch (error) {
      this.lostAClaim();
      throw error;
    }
  }

  /** Bookmarks of one instance share bursts. */
  groupOf({ workflowInstanceId }: ClaimedBookmark): string {
    return workflowInstanceId;
  }

  describe({ id, name, workflowInstanceId }: ClaimedBookmark): string {
    return `bookmark '${id}' (${name} of instance '${workflowInstanceId}')`;
  }

  private async claim({ now, until, free, running, fullGroups }: DueLook): Promise<ClaimedBookmarks> {
    const at = this.clock.monotonic();
    const held = at < this.lostUntil ? [...running, ...this.heldByMessages(at)] : undefined;
    const lookAheadMs = until.getTime() - now.getTime();
    try {
      const options = { limit: free, along: ALONG, exceptInstanceIds: fullGroups, lookAheadMs, held };
      return await this.persistence.bookmarks.claimDue({ ...this.lease(FIRST_LEASE_MS), ...options });
    } catch (error) {
      this.lostAClaim();
      throw error;
    }
  }

  private heldByMessages(at: number): string[] {
    return [...this.left].filter(([, { heldUntil }]) => heldUntil > at).map(([id]) => id);
  }

  /** Their claims are kept: they are found when those end, less and less often, until their messages have consumed them. */
  private async leaveToMessages(bookmarks: readonly ClaimedBookmark[]): Promise<void> {
    const at = this.clock.monotonic();
    // What was not found again since is resumed, or another node's.
    for (const [id, { heldUntil }] of this.left) if (heldUntil + LONGEST_LEFT_MS <= at) this.left.delete(id);
    try {
      await this.resumes.ask(bookmarks);
      const longer = new Map<number, string[]>();
      for (const { id } of bookmarks) {
        const times = (this.left.get(id)?.times ?? 0) + 1;
        const ms = Math.min(FIRST_LEASE_MS * 2 ** (times - 1), LONGEST_LEFT_MS);
        this.left.set(id, { times, heldUntil: at + ms + LEASE_MS });
        const alike = longer.get(ms);
        if (alike) alike.push(id);
        else if (times > 1) longer.set(ms, [id]);
      }
      for (const [ms, ids] of longer) await this.persistence.bookmarks.renewClaims(ids, this.lease(ms));
    } catch (error) {
      // Others were claimed with them, of which nothing is known here.
      this.lostAClaim();
      throw error;
    }
  }

  private lostAClaim(): void {
    this.lostUntil = this.clock.monotonic() + LEASE_MS;
  }

  private lease(leaseMs: number): Lease {
    return { owner: this.owner, leaseMs, now: this.clock.storeTime() };
  }

  private async resume(bookmark: ClaimedBookmark): Promise<void> {
    try {
      await this.resumer.resumeWaiting(bookmark);
    } catch (error) {
      if (!NO_LONGER_WAITING.some((code) => isWaymarkError(error, code))) throw error;
      // A row that is still there will not go away by itself: retried with growing pauses, it cannot keep a node busy.
      const remaining = await this.persistence.bookmarks.findMany({ ids: [bookmark.id] });
      if (remaining.length > 0) throw error;
    }
  }
}
