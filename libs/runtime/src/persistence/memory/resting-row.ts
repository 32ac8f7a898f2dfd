import type { WorkflowState } from '@waymark/core';
import {
  type Entry,
  ITEMS_OF_PART,
  RESTING_LISTS,
  restingIds,
  type RestingListName,
  type RestingLists,
  RestingPart,
  withRestingLists,
} from '@waymark/core/adapter';
import type { LoadedInstance, WorkflowInstanceRecord } from '../records.js';
import { copyContexts, LoadedCopies, RowCopies, toInstanceRow } from './instance-row.js';
import { copyOf, isolate, NEEDS_CODEC } from './isolate.js';
import { copyInParts, type Pause } from './isolate-in-parts.js';

/** An item of a state as the store keeps it. */
class MemoryPart<T> extends RestingPart<T> {
  constructor(
    id: string,
    ownerId: string | undefined,
    /** The store's own: never changed, and never handed out but as a copy. */
    readonly kept: T,
  ) {
    super(id, ownerId);
  }

  protected make(): T {
    return isolate(this.kept, 'instance.state');
  }
}

type Parts = Readonly<Record<RestingListName, readonly MemoryPart<object>[]>>;

/**
 * What `toInstanceRow` makes of an instance whose parts may rest: what has not been read stays where it is.
 * @returns undefined: one of the parts has to go through the codec, or has no id
 */
export async function restingRow(
  instance: WorkflowInstanceRecord,
  lists: RestingLists,
  revision: number,
  pause: Pause,
): Promise<LoadedInstance | undefined> {
  const copies = new RowCopies();
  const parts: Partial<Record<RestingListName, MemoryPart<object>[]>> = {};
  for (const name of RESTING_LISTS) {
    const list: MemoryPart<object>[] = [];
    let made = 0;
    for (const entry of lists[name] as readonly Entry<object>[]) {
      if (entry instanceof MemoryPart) {
        list.push(entry as MemoryPart<object>);
        continue;
      }
      const [copied] = [name === 'activityExecutionContexts' ? copyContexts([entry], copies) : copyOf([entry])].flat();
      if (copied === NEEDS_CODEC) return undefined;
      const ids = restingIds(name, copied as object);
      if (!ids) return undefined;
      list.push(new MemoryPart(ids.id, ids.ownerId, copied as object));
      const turn = ++made % ITEMS_OF_PART === 0 && pause();
      if (turn) await turn;
    }
    parts[name] = list;
  }
  const row = toInstanceRow({ ...instance, state: withoutLists(instance.state) }, revision);
  return { ...row, state: withRestingLists(row.state, parts as unknown as RestingLists) };
}

/** What is loaded of such a row; values are the caller's own. @param mayRest false: all of it is copied */
export async function loadRestingRow(
  row: LoadedInstance,
  lists: RestingLists,
  mayRest: boolean,
  pause: Pause,
): Promise<LoadedInstance> {
  const loaded = isolate({ ...row, state: withoutLists(row.state) }, 'instance');
  if (mayRest) return { ...loaded, state: withRestingLists(loaded.state, lists) };
  const copies = new LoadedCopies(undefined);
  const parts = lists as unknown as Parts;
  for (const name of RESTING_LISTS) {
    const kept = parts[name].map((part) => part.kept);
    const copied = await copyInParts<object>(
      kept,
      pause,
      name === 'activityExecutionContexts' ? (part) => copyContexts(part, copies) : undefined,
    );
    loaded.state[name] = (copied ?? isolate(kept, 'instance.state')) as never[];
  }
  return loaded;
}

/** All but the long lists, none of which is read. */
function withoutLists(state: WorkflowState): WorkflowState {
  const frame: Record<string, unknown> = {};
  for (const name of Object.keys(state) as (keyof WorkflowState)[])
    frame[name] = (RESTING_LISTS as readonly string[]).includes(name) ? [] : state[name];
  return frame as unknown as WorkflowState;
}
