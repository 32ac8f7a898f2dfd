import { Injectable } from '@nestjs/common';
import { bookmarkHash, type Constructor, describeActivity, isTrigger, isWaymarkError } from '@waymark/core';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { sha256 } from '../engine/identity.js';
import { BurstExecutor } from '../instances/burst-executor.js';
import { BookmarkNotFoundError } from '../instances/instance-errors.js';
import type { RunInstanceResult } from '../instances/instance-services.js';
import type { BurstExtras } from '../instances/burst-commit-builder.js';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import { EmptyFilterError } from '../persistence/persistence-errors.js';
import type { StoredBookmark } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { IBookmarkResumer, type ResumeOptions } from './bookmark-services.js';

@Injectable()
export class BookmarkResumer extends IBookmarkResumer {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly executor: BurstExecutor,
    private readonly engine: WorkflowEngine,
  ) {
    super();
  }

  resume(activity: Constructor | string, stimulus: unknown, options: ResumeOptions = {}): Promise<RunInstanceResult[]> {
    const name = typeof activity === 'string' ? activity : describeActivity(activity).typeName;
    return this.resumeMany({ hash: this.hashOf(name, stimulus), ...pick(options) }, options);
  }

  async resumeById(bookmarkId: string, options: ResumeOptions = {}): Promise<RunInstanceResult> {
    const [row] = await this.persistence.bookmarks.findMany({ ids: [bookmarkId] });
    if (!row) throw new BookmarkNotFoundError(bookmarkId);
    return this.resumeRow(row, options);
  }

  async resumeMany(filter: BookmarkFilter, options: ResumeOptions = {}): Promise<RunInstanceResult[]> {
    if (!Object.values(filter).some((value) => value !== undefined)) throw new EmptyFilterError('bookmark');
    return this.resumeRows(await this.persistence.bookmarks.findMany(filter), options);
  }

  /** Resumes each; one that was consumed meanwhile by another request is left out. */
  async resumeRows(rows: readonly StoredBookmark[], options: ResumeOptions = {}): Promise<RunInstanceResult[]> {
    const results: RunInstanceResult[] = [];
    for (const row of rows) {
      try {
        results.push(await this.resumeRow(row, options));
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    return results;
  }

  resumeRow(row: StoredBookmark, options: ResumeOptions, extras?: BurstExtras): Promise<RunInstanceResult> {
    const { input, properties, transient, signal } = options;
    return this.executor.resume(
      row.workflowInstanceId,
      { bookmarkId: row.id, input, properties, transient, signal },
      extras,
    );
  }

  /** The hash that a bookmark or trigger of that name with that stimulus has. */
  hashOf(name: string, stimulus: unknown): string {
    const provider = this.engine.activities.find(name)?.provider;
    const hashed =
      provider && isTrigger(provider) && provider.getHashInput ? provider.getHashInput(stimulus) : stimulus;
    return bookmarkHash(sha256, name, hashed);
  }
}

/** The bookmark, or its instance, is not there (any more): consumed, cancelled, ended or deleted. */
export function isGone(error: unknown): boolean {
  return ['WM3001', 'WM3003', 'WM3004', 'WM7002'].some((code) => isWaymarkError(error, code));
}

function pick({ correlationId, workflowInstanceId }: ResumeOptions): BookmarkFilter {
  return { correlationId, workflowInstanceId };
}
