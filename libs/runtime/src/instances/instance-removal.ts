import { Injectable } from '@nestjs/common';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowBookmarksIndexed, WorkflowEvent, WorkflowInstancesDeleted } from '../events/workflow-events.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import type { StoredBookmark } from '../persistence/records.js';
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
    for (const [id, removed] of byInstance(bookmarks))
      await this.events.emit(WorkflowEvent.BookmarksIndexed, new WorkflowBookmarksIndexed(id, [], removed, []));
    if (deleted) await this.events.emit(WorkflowEvent.WorkflowInstancesDeleted, new WorkflowInstancesDeleted(ids));
    return deleted;
  }

  /** Of finished instances, where nothing waits any more, as `InstanceStore.purge` does. Returns how many. */
  async purge(filter: InstanceFilter, limit: number): Promise<number> {
    const ids = await this.persistence.instances.purge(filter, limit);
    if (ids.length > 0)
      await this.events.emit(WorkflowEvent.WorkflowInstancesDeleted, new WorkflowInstancesDeleted(ids));
    return ids.length;
  }
}

function byInstance(bookmarks: readonly StoredBookmark[]): ReadonlyMap<string, StoredBookmark[]> {
  const groups = new Map<string, StoredBookmark[]>();
  for (const bookmark of bookmarks) {
    const group = groups.get(bookmark.workflowInstanceId);
    if (group) group.push(bookmark);
    else groups.set(bookmark.workflowInstanceId, [bookmark]);
  }
  return groups;
}
