import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  IBookmarkResumer,
  type ResolvedRuntimeOptions,
  RUNTIME_OPTIONS,
  type StoredBookmark,
  WorkflowClock,
  WorkflowPersistence,
} from '@waymark/runtime';
import { ClaimLeases } from './claim-leases.js';
import type { DueLook, DueRows, DueWork } from './due-work.js';

export interface DueBookmark extends StoredBookmark {
  readonly dueAt: Date;
}

/** Bookmark consumed; bookmark not found; instance not found; instance ended: somebody else saw to it. */
const NO_LONGER_WAITING = ['WM7002', 'WM3004', 'WM3001', 'WM3003'];

/** A claim ends after that time when its node has died: then another one resumes the instance. */
const LEASE_MS = 30_000;

/**
 * Resumes instances whose waiting time is over. A claim, renewed while the burst runs, makes one node do it; the commit
 * that resumes consumes the bookmark (W2), whoever has claimed it.
 */
@Injectable()
export class DueBookmarks implements DueWork<DueBookmark> {
  readonly kind = 'bookmark';
  private readonly leases: ClaimLeases;
  private readonly owner: string;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: IBookmarkResumer,
    clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) { nodeName }: Pick<ResolvedRuntimeOptions, 'nodeName'>,
  ) {
    this.owner = nodeName;
    const renew = (ids: readonly string[], leaseEnds: Date) =>
      persistence.bookmarks.renewClaims(ids, nodeName, leaseEnds);
    this.leases = new ClaimLeases(clock, LEASE_MS, renew);
  }

  async find({ now, until, free }: DueLook): Promise<DueRows<DueBookmark>> {
    const { owner } = this;
    const claim = { owner, limit: free, leaseMs: LEASE_MS, now, until };
    const { bookmarks, nextAt } = await this.persistence.bookmarks.claimDue(claim);
    const rows = bookmarks.filter((row): row is DueBookmark => !!row.dueAt);
    return { rows, hasMore: rows.length === free, nextAt };
  }

  async fire(bookmark: DueBookmark): Promise<null> {
    this.leases.add(bookmark.id);
    try {
      await this.resume(bookmark);
      return null;
    } finally {
      this.leases.delete(bookmark.id);
    }
  }

  giveBack({ id }: DueBookmark, availableAt: Date): Promise<void> {
    return this.persistence.bookmarks.releaseClaim(id, this.owner, availableAt);
  }

  describe({ id, name, workflowInstanceId }: DueBookmark): string {
    return `bookmark '${id}' (${name} of instance '${workflowInstanceId}')`;
  }

  private async resume(bookmark: DueBookmark): Promise<void> {
    try {
      await this.resumer.resumeById(bookmark.id, { workflowInstanceId: bookmark.workflowInstanceId });
    } catch (error) {
      if (!NO_LONGER_WAITING.some((code) => isWaymarkError(error, code))) throw error;
      // A row that is still there will not go away by itself: retried with growing pauses, it cannot keep a node busy.
      const remaining = await this.persistence.bookmarks.findMany({ ids: [bookmark.id] });
      if (remaining.length > 0) throw error;
    }
  }
}
