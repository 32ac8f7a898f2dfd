import { Injectable } from '@nestjs/common';
import { WorkflowPersistence, type StoredBookmark, type StoredTrigger } from '@waymark/runtime';

import { DueWorkRunner } from '../due-work/due-work-runner.js';

/** Is notified of trigger rows that were stored or deleted. Only the rows decide what fires; a scheduler makes a node wake. */
export abstract class ITriggerScheduler {
  /** Makes a node wake when these are due. */
  abstract schedule(triggers: readonly StoredTrigger[]): void | Promise<void>;
  /** Removes their due times in the store: no node fires them any more. They start nothing until published with other times. */
  abstract unschedule(triggers: readonly StoredTrigger[]): void | Promise<void>;
  /** Is called with rows that the store has deleted. @default unschedules them */
  forget(triggers: readonly StoredTrigger[]): void | Promise<void> {
    return this.unschedule(triggers);
  }
}

/**
 * Is notified of bookmark rows with due times that were stored or deleted. Only the rows decide what fires; a scheduler makes a node wake.
 */
export abstract class IBookmarkScheduler {
  /** Makes a node wake when these are due. */
  abstract schedule(bookmarks: readonly StoredBookmark[]): void | Promise<void>;
  /** Removes their due times in the store: no node fires them any more. They still wait for whatever else resumes them. */
  abstract unschedule(bookmarks: readonly StoredBookmark[]): void | Promise<void>;
  /** Is called with rows that the store has deleted. @default unschedules them */
  forget(bookmarks: readonly StoredBookmark[]): void | Promise<void> {
    return this.unschedule(bookmarks);
  }
}

/** Wakes this node for the earliest due trigger. */
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

/** Wakes this node for the earliest due bookmark. */
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
