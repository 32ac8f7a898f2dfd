import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { WorkflowBookmarksIndexed, WorkflowEngine, WorkflowEvent, WorkflowTriggersIndexed } from '@waymark/runtime';
import { ShutdownTasks } from '@waymark/runtime/adapter';
import { nextWait } from '../activities/repeat.js';
import { DueWorkRunner } from '../due-work/due-work-runner.js';
import { SchedulesAnnouncer } from './schedules-announcer.js';
import { IBookmarkScheduler, ITriggerScheduler } from './schedulers.js';

/**
 * Receives new rows with a due time after the commit that wrote them, and wakes this node for those that are due before its
 * next poll. If the process dies in between, the next poll of any node finds them.
 */
@Injectable()
export class ScheduleWorkflows implements OnApplicationBootstrap {
  constructor(
    private readonly triggers: ITriggerScheduler,
    private readonly bookmarks: IBookmarkScheduler,
    private readonly runner: DueWorkRunner,
    private readonly shutdown: ShutdownTasks,
    private readonly announcer: SchedulesAnnouncer,
    engine: WorkflowEngine,
  ) {
    engine.repeat = nextWait;
  }

  /** Called by Nest when the application starts. */
  onApplicationBootstrap(): void {
    this.runner.start();
    this.shutdown.add(() => this.runner.stop());
  }

  /** Called with what was indexed when triggers of a definition have changed. */
  @OnEvent(WorkflowEvent.TriggersIndexed)
  async onTriggersIndexed({ indexed }: WorkflowTriggersIndexed): Promise<void> {
    await this.triggers.forget(indexed.removed);
    await this.triggers.schedule(indexed.added);
    await this.announcer.triggers(indexed.added, indexed.removed);
  }

  /** Called with what was indexed when bookmarks of an instance have changed. */
  @OnEvent(WorkflowEvent.BookmarksIndexed)
  async onBookmarksIndexed({ removed, added }: WorkflowBookmarksIndexed): Promise<void> {
    await this.bookmarks.forget(removed);
    await this.bookmarks.schedule(added);
    await this.announcer.bookmarks(added, removed);
  }
}
