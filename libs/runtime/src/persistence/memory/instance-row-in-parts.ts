import type { WorkflowState } from '@waymark/core';
import type { LoadedInstance, WorkflowInstanceRecord } from '../records.js';
import { copyContexts, LoadedCopies, RowCopies, toInstanceRow } from './instance-row.js';
import { isolate } from './isolate.js';
import { copyInParts, isLongList, type Pause } from './isolate-in-parts.js';

/** Members of a state that have an item for each of its branches. */
const LISTS = ['activityExecutionContexts', 'bookmarks', 'completionCallbacks', 'scheduledActivities'] as const;

type Lists = Partial<Record<(typeof LISTS)[number], never[]>>;

/** True for an instance that is worth pauses when it is copied. */
export const hasLongLists = (state: WorkflowState): boolean => longLists(state).length > 0;

/**
 * What `toInstanceRow` makes, with pauses.
 * @throws ValueNotStorableError
 */
export async function instanceRowInParts(
  instance: WorkflowInstanceRecord,
  revision: number,
  pause: Pause,
): Promise<LoadedInstance> {
  const lists = await copyLists(instance.state, new RowCopies(), pause);
  if (!lists) return toInstanceRow(instance, revision);
  return withLists(toInstanceRow(withoutLists(instance), revision), lists);
}

/** What `isolate` makes of a row, with pauses. */
export async function isolateRowInParts(row: LoadedInstance, pause: Pause): Promise<LoadedInstance> {
  const lists = await copyLists(row.state, new LoadedCopies(undefined), pause);
  return lists ? withLists(isolate(withoutLists(row), 'instance'), lists) : isolate(row, 'instance');
}

const longLists = (state: WorkflowState) => LISTS.filter((name) => isLongList(state[name]));

async function copyLists(
  state: WorkflowState,
  copies: RowCopies | LoadedCopies,
  pause: Pause,
): Promise<Lists | undefined> {
  const lists: Lists = {};
  for (const name of longLists(state)) {
    const copied = await (name === 'activityExecutionContexts'
      ? copyInParts<unknown>(state[name], pause, (part) => copyContexts(part, copies))
      : copyInParts<unknown>(state[name], pause));
    if (!copied) return undefined;
    lists[name] = copied as never[];
  }
  return lists;
}

function withoutLists<T extends WorkflowInstanceRecord>(instance: T): T {
  return withLists(instance, Object.fromEntries(longLists(instance.state).map((name) => [name, []])));
}

function withLists<T extends WorkflowInstanceRecord>(instance: T, lists: Lists): T {
  return { ...instance, state: { ...instance.state, ...lists } };
}
