import { Injectable } from '@nestjs/common';
import { WorkflowPersistence, type StoredBookmark, type StoredTrigger } from '@waymark/runtime';

import { DueWorkRunner } from '../due-work/due-work-runner.js';

/** Told of trigger rows that came and went. The rows are what counts; a scheduler only sees to it that a node wakes. */
export abstract class ITriggerScheduler {
  /** Sees to it that a node wakes when these are due. */
  abstract schedule(triggers: readonly StoredTrigger[]): void | Promise<void>;
  /** Takes their due times away in the store: no node fires them any more. They start nothing until published with other times. */
  abstract unschedule(triggers: readonly StoredTrigger[]): void | Promise<void>;
  /** Told of rows that the store has deleted. @default unschedules them */
  forget(triggers: readonly StoredTrigger[]): void | Promise<void> {
    return this.unschedule(triggers);
  }
}

/** The same for bookmark rows. */
export abstract class IBookmarkScheduler {
  /** Sees to it that a node wakes when these are due. */
  abstract schedule(bookmarks: readonly StoredBookmark[]): void | Promise<void>;
  /** Takes their due times away in the store: no node fires them any more. They wait on for whatever else resumes them. */
  abstract unschedule(bookmarks: readonly StoredBookmark[]): void | Promise<void>;
  /** Told of rows that the store has deleted. @default unschedules them */
  forget(bookmarks: readonly StoredBookmark[]): void | Promise<void> {
    return this.unschedule(bookmarks);
  }
}

/** Wakes this node for the earliest of them. */
@Injectable()
export class DefaultTriggerScheduler extends ITriggerScheduler {
  constructor(
    private readonly runner: DueWorkRunner,
    private readonly persistence: WorkflowPersistence,
  ) {
    super();
  }

  schedule(triggers: readonly StoredTrigger[]): void {
    wakeForEarliest(this.runner, triggers);
  }

  async unschedule(rows: readonly StoredTrigger[]): Promise<void> {
    await this.persistence.triggers.clearDueTimes(rows.map(({ id }) => id));
  }

  /** Nothing to do: a row that is gone is not found when the node wakes, and this is called after each burst. */
  override forget(): void {}
}

/** Wakes this node for the earliest of them. */
@Injectable()
export class DefaultBookmarkScheduler extends IBookmarkScheduler {
  constructor(
    private readonly runner: DueWorkRunner,
    private readonly persistence: WorkflowPersistence,
  ) {
    super();
  }

  schedule(bookmarks: readonly StoredBookmark[]): void {
    wakeForEarliest(this.runner, bookmarks);
  }

  async unschedule(rows: readonly StoredBookmark[]): Promise<void> {
    await this.persistence.bookmarks.clearDueTimes(rows.map(({ id }) => id));
  }

  /** Nothing to do: a row that is gone is not found when the node wakes, and this is called after each burst. */
  override forget(): void {}
}

function wakeForEarliest(runner: DueWorkRunner, rows: readonly { dueAt?: Date | null }[]): void {
  let earliest = Infinity;
  for (const { dueAt } of rows) if (dueAt) earliest = Math.min(earliest, dueAt.getTime());
  if (earliest < Infinity) runner.wakeAt(earliest);
}
