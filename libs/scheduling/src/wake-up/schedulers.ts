import { Injectable } from '@nestjs/common';
import type { StoredBookmark, StoredTrigger } from '@waymark/runtime';
import { DueWorkRunner } from '../due-work/due-work-runner.js';

/** Told of trigger rows that came and went. The rows are what counts; a scheduler only sees to it that somebody wakes. */
export abstract class ITriggerScheduler {
  abstract schedule(triggers: readonly StoredTrigger[]): void | Promise<void>;
  abstract unschedule(triggers: readonly StoredTrigger[]): void | Promise<void>;
}

/** The same for bookmark rows. */
export abstract class IBookmarkScheduler {
  abstract schedule(bookmarks: readonly StoredBookmark[]): void | Promise<void>;
  abstract unschedule(bookmarks: readonly StoredBookmark[]): void | Promise<void>;
}

@Injectable()
export class DefaultTriggerScheduler extends ITriggerScheduler {
  constructor(private readonly runner: DueWorkRunner) {
    super();
  }

  schedule(triggers: readonly StoredTrigger[]): void {
    wakeForEarliest(this.runner, triggers);
  }

  /** Nothing to do: a row that is gone is not found when the node wakes. */
  unschedule(): void {}
}

@Injectable()
export class DefaultBookmarkScheduler extends IBookmarkScheduler {
  constructor(private readonly runner: DueWorkRunner) {
    super();
  }

  schedule(bookmarks: readonly StoredBookmark[]): void {
    wakeForEarliest(this.runner, bookmarks);
  }

  /** Nothing to do: a row that is gone is not found when the node wakes. */
  unschedule(): void {}
}

function wakeForEarliest(runner: DueWorkRunner, rows: readonly { dueAt?: Date | null }[]): void {
  let earliest = Infinity;
  for (const { dueAt } of rows) if (dueAt) earliest = Math.min(earliest, dueAt.getTime());
  if (earliest < Infinity) runner.wakeAt(earliest);
}
