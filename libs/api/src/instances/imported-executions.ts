import type { ImportedInstance } from './instance-file.js';

/**
 * Executions are found by their ids, which begin with that of their instance. Those of Elsa are random: here they get such ids, the same
 * ones each time that a file is imported. The underscore keeps them apart from the numbers that executions get here.
 */
export function withOwnExecutionIds({ state, journal }: ImportedInstance): ImportedInstance {
  const own = <T extends string | null | undefined>(id: T): T => ownId(state.id, id);
  const scheduled = <T extends Scheduled>(item: T): T =>
    withIds(item, ['schedulingActivityExecutionId'], (id) => ownId(item.schedulingWorkflowInstanceId ?? state.id, id));
  return {
    state: {
      ...state,
      bookmarks: state.bookmarks.map((bookmark) => withIds(bookmark, ['activityInstanceId'], own)),
      incidents: state.incidents.map((incident) => withIds(incident, ['activityInstanceId'], own)),
      completionCallbacks: state.completionCallbacks.map((callback) =>
        withIds(callback, ['ownerInstanceId', 'childInstanceId'], own),
      ),
      activityExecutionContexts: state.activityExecutionContexts.map((context) =>
        scheduled(withIds(context, ['id', 'parentContextId'], own)),
      ),
      scheduledActivities: state.scheduledActivities.map((item) =>
        withIds(item, ['ownerContextId', 'existingActivityExecutionContextId'], own),
      ),
    },
    journal: {
      records: journal.records.map((record) => scheduled(withIds(record, ['id'], own))),
      log: journal.log.map((entry) => withIds(entry, ['activityInstanceId', 'parentActivityInstanceId'], own)),
    },
  };
}

interface Scheduled {
  readonly schedulingActivityExecutionId?: string | null;
  readonly schedulingWorkflowInstanceId?: string | null;
}

function ownId<T extends string | null | undefined>(instanceId: string, id: T): T {
  const prefix = `${instanceId}-`;
  const isKnown = !id || (id.startsWith(prefix) && !id.includes('-', prefix.length));
  return isKnown ? id : (`${prefix}_${id.replaceAll('-', '_')}` as T);
}

/** A copy, unless nothing changes: a journal may have a hundred thousand entries of our own. */
function withIds<T extends object>(item: T, names: readonly (keyof T)[], own: (id: string) => string): T {
  let copy: T | undefined;
  for (const name of names) {
    const id: unknown = item[name];
    if (typeof id !== 'string') continue;
    const next = own(id);
    if (next !== id) (copy ??= { ...item })[name] = next as T[keyof T];
  }
  return copy ?? item;
}
