import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { OnEvent } from '@nestjs/event-emitter';
import { ShutdownTasks, WorkflowBookmarksIndexed, WorkflowEvent, WorkflowTriggersIndexed } from '@waymark/runtime';
import { DueWorkRunner } from '../due-work/due-work-runner.js';
import { IBookmarkScheduler, ITriggerScheduler } from './schedulers.js';

/**
 * Hears of new rows with a due time, after the commit that wrote them, and has this node wake for those that are due
 * before its next look at the store. Should the process die in between, the next look of any node finds them.
 */
@Injectable()
export class ScheduleWorkflows implements OnApplicationBootstrap {
  constructor(
    private readonly triggers: ITriggerScheduler,
    private readonly bookmarks: IBookmarkScheduler,
    private readonly runner: DueWorkRunner,
    private readonly shutdown: ShutdownTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.runner.start();
    this.shutdown.add(() => this.runner.stop());
  }

  @OnEvent(WorkflowEvent.TriggersIndexed)
  async onTriggersIndexed({ indexed }: WorkflowTriggersIndexed): Promise<void> {
    await this.triggers.unschedule(indexed.removed);
    await this.triggers.schedule(indexed.added);
  }

  @OnEvent(WorkflowEvent.BookmarksIndexed)
  async onBookmarksIndexed({ removed, added }: WorkflowBookmarksIndexed): Promise<void> {
    await this.bookmarks.unschedule(removed);
    await this.bookmarks.schedule(added);
  }
}
