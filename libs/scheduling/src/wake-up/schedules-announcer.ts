import { Injectable } from '@nestjs/common';
import {
  type IndexedSchedule,
  WorkflowEvent,
  WorkflowSchedulesIndexed,
  type StoredBookmark,
  type StoredTrigger,
} from '@waymark/runtime';
import { WorkflowEventEmitter } from '@waymark/runtime/adapter';

/** Announces what fires at times, once this node wakes for it. Without a listener it costs nothing, as each burst may change some. */
@Injectable()
export class SchedulesAnnouncer {
  constructor(private readonly events: WorkflowEventEmitter) {}

  get isHeard(): boolean {
    return this.events.isHeard(WorkflowEvent.SchedulesIndexed);
  }

  async announce(added: readonly IndexedSchedule[], removed: readonly IndexedSchedule[]): Promise<void> {
    if (added.length + removed.length === 0 || !this.isHeard) return;
    await this.events.emit(WorkflowEvent.SchedulesIndexed, new WorkflowSchedulesIndexed(added, removed));
  }

  /** Of trigger rows, those that fire at times. */
  async triggers(added: readonly StoredTrigger[], removed: readonly StoredTrigger[]): Promise<void> {
    if (this.isHeard) await this.announce(added.flatMap(fromTrigger), removed.flatMap(fromTrigger));
  }

  /** Of bookmark rows, those that are resumed at times. */
  bookmarks(added: readonly StoredBookmark[], removed: readonly StoredBookmark[]): void | Promise<void> {
    if (this.isHeard) return this.announce(added.flatMap(fromBookmark), removed.flatMap(fromBookmark));
  }
}

function fromTrigger({ id, name: stimulus, dueAt, paused, workflowDefinitionId }: StoredTrigger): IndexedSchedule[] {
  if (!dueAt && !paused) return [];
  return [{ kind: 'trigger', id, stimulus, ...(dueAt && { dueAt }), workflowDefinitionId }];
}

function fromBookmark({ id, name: stimulus, dueAt, workflowInstanceId }: StoredBookmark): IndexedSchedule[] {
  return dueAt ? [{ kind: 'bookmark', id, stimulus, dueAt, workflowInstanceId }] : [];
}
