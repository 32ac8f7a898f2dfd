import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { WorkflowBookmarksIndexed, WorkflowEngine, WorkflowEvent, WorkflowTriggersIndexed } from '@waymark/runtime';
import { ShutdownTasks, WorkflowEventEmitter } from '@waymark/runtime/adapter';
import { nextWait } from '../activities/repeat.js';
import { DueWorkRunner } from '../due-work/due-work-runner.js';
import { oneAfterTheOther } from './one-after-the-other.js';
import { SchedulesAnnouncer } from './schedules-announcer.js';
import { IBookmarkScheduler, ITriggerScheduler } from './schedulers.js';

/**
 * Receives new rows with a due time after the commit that wrote them, and wakes this node for those that are due before its
 * next poll. If the process dies in between, the next poll of any node finds them.
 */
@Injectable()
export class ScheduleWorkflows implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    private readonly triggers: ITriggerScheduler,
    private readonly bookmarks: IBookmarkScheduler,
    private readonly runner: DueWorkRunner,
    private readonly shutdown: ShutdownTasks,
    private readonly announcer: SchedulesAnnouncer,
    private readonly events: WorkflowEventEmitter,
    engine: WorkflowEngine,
  ) {
    engine.repeat = nextWait;
  }

  /** Called by Nest: listens to what each burst may change. */
  onModuleInit(): void {
    this.events.listen<WorkflowBookmarksIndexed>(WorkflowEvent.BookmarksIndexed, (event) =>
      this.onBookmarksIndexed(event),
    );
    // Before the listeners of the application, which register later: a slow one of them does not hold up the schedules.
    this.events.listen<WorkflowTriggersIndexed>(WorkflowEvent.TriggersIndexed, (event) =>
      this.onTriggersIndexed(event),
    );
  }

  /** Called by Nest when the application starts. */
  onApplicationBootstrap(): void {
    this.runner.start();
    this.shutdown.add(() => this.runner.stop());
  }

  /** Called with what was indexed when triggers of a definition have changed. */
  async onTriggersIndexed({ indexed }: WorkflowTriggersIndexed): Promise<void> {
    await this.triggers.forget(indexed.removed);
    await this.triggers.schedule(indexed.added);
    await this.announcer.triggers(indexed.added, indexed.removed);
  }

  /** Called with what was indexed when bookmarks of an instance have changed. */
  onBookmarksIndexed({ removed, added }: WorkflowBookmarksIndexed): void | Promise<void> {
    return oneAfterTheOther(
      () => this.bookmarks.forget(removed),
      () => this.bookmarks.schedule(added),
      () => this.announcer.bookmarks(added, removed),
    );
  }
}
