import { Injectable } from '@nestjs/common';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowBookmarksIndexed, WorkflowEvent, WorkflowInstancesDeleted } from '../events/workflow-events.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Removes what is stored of instances that have ended, and tells routes and schedules. See `InstanceDeletion` for others. */
@Injectable()
export class InstanceRemoval {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly events: WorkflowEventEmitter,
  ) {}

  async remove(ids: readonly string[]): Promise<number> {
    if (!ids.length) return 0;
    const bookmarks = await this.persistence.bookmarks.findMany({ workflowInstanceIds: ids });
    const deleted = await this.persistence.instances.delete(ids);
    for (const id of new Set(bookmarks.map((b) => b.workflowInstanceId)))
      await this.events.emit(
        WorkflowEvent.BookmarksIndexed,
        new WorkflowBookmarksIndexed(
          id,
          [],
          bookmarks.filter((b) => b.workflowInstanceId === id),
          [],
        ),
      );
    if (deleted) await this.events.emit(WorkflowEvent.WorkflowInstancesDeleted, new WorkflowInstancesDeleted(ids));
    return deleted;
  }
}
