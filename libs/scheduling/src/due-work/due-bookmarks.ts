import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { IBookmarkResumer, type StoredBookmark, WorkflowPersistence } from '@waymark/runtime';
import type { DueWork } from './due-work.js';

export interface DueBookmark extends StoredBookmark {
  readonly dueAt: Date;
}

/** Bookmark consumed; bookmark not found; instance not found; instance ended: somebody else saw to it. */
const NO_LONGER_WAITING = ['WM7002', 'WM3004', 'WM3001', 'WM3003'];

/** Resumes instances whose waiting time is over. The commit that resumes one consumes the bookmark (W2). */
@Injectable()
export class DueBookmarks implements DueWork<DueBookmark> {
  readonly kind = 'bookmark';

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: IBookmarkResumer,
  ) {}

  async find(before: Date, limit: number): Promise<DueBookmark[]> {
    const rows = await this.persistence.bookmarks.findDue(before, limit);
    return rows.filter((row): row is DueBookmark => !!row.dueAt);
  }

  async fire(bookmark: DueBookmark): Promise<null> {
    try {
      await this.resumer.resumeById(bookmark.id, { workflowInstanceId: bookmark.workflowInstanceId });
    } catch (error) {
      if (!NO_LONGER_WAITING.some((code) => isWaymarkError(error, code))) throw error;
      // A row that is still there will not go away by itself: retried with growing pauses, it cannot keep a node busy.
      const remaining = await this.persistence.bookmarks.findMany({ ids: [bookmark.id] });
      if (remaining.length > 0) throw error;
    }
    return null;
  }

  describe({ id, name, workflowInstanceId }: DueBookmark): string {
    return `bookmark '${id}' (${name} of instance '${workflowInstanceId}')`;
  }
}
