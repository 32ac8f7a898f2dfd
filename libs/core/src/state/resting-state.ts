import type {
  ActivityExecutionContextState,
  Bookmark,
  CompletionCallbackState,
  WorkflowState,
} from './workflow-state.js';

/**
 * One item of a long list of a stored state, which is read only when something needs it. It never changes: a burst that has read it writes
 * another one in its place.
 */
export abstract class RestingPart<T> {
  constructor(
    /** Id of the execution, of the bookmark, or of the execution that a callback is for. */
    readonly id: string,
    /** Id of the execution of the container; of a bookmark, of the execution that waits. */
    readonly ownerId: string | undefined,
  ) {}

  /** Values of the caller's own, which it may change. */
  read(): T {
    return this.make();
  }

  /** Makes the values for `read`. */
  protected abstract make(): T;
}

/** An item as a burst has left it, or as it was stored before. */
export type Entry<T> = T | RestingPart<T>;

/** The lists of a state that are long where it has many branches. */
export interface RestingLists {
  /** In the order of the state: the root last. */
  readonly activityExecutionContexts: readonly Entry<ActivityExecutionContextState>[];
  /** What the instance waits for. */
  readonly bookmarks: readonly Entry<Bookmark>[];
  /** Which containers are called when a child completes. */
  readonly completionCallbacks: readonly Entry<CompletionCallbackState>[];
}

/** Names of the lists of a state whose items may be at rest. */
export const RESTING_LISTS = ['activityExecutionContexts', 'bookmarks', 'completionCallbacks'] as const;

/** Name of a list of a state whose items may be at rest. */
export type RestingListName = (typeof RESTING_LISTS)[number];

/** Members of the items that name them and what they belong to. */
interface Named {
  readonly id?: string;
  readonly parentContextId?: string;
  readonly activityInstanceId?: string;
  readonly childInstanceId?: string;
  readonly ownerInstanceId?: string;
}

/** Returns the ids of an item as `RestingPart` has them; undefined if it has none, and then the lists of its state cannot be at rest. */
export function restingIds(
  list: RestingListName,
  item: object,
): { readonly id: string; readonly ownerId: string | undefined } | undefined {
  const { id, parentContextId, activityInstanceId, childInstanceId, ownerInstanceId }: Named = item;
  if (list === 'completionCallbacks')
    return childInstanceId === undefined ? undefined : { id: childInstanceId, ownerId: ownerInstanceId };
  return id === undefined ? undefined : { id, ownerId: list === 'bookmarks' ? activityInstanceId : parentContextId };
}

const listsOf = new WeakMap<WorkflowState, RestingLists>();

/**
 * The lists of a state whose items may be at rest. Undefined for any other state, and once one of the lists was read as a list of values,
 * which the reader may have changed.
 */
export function restingLists(state: WorkflowState): RestingLists | undefined {
  return listsOf.get(state);
}

/** Returns how many executions and bookmarks a state has, without reading them. */
export function listLengths(state: WorkflowState): {
  readonly activityExecutionContexts: number;
  readonly bookmarks: number;
} {
  const { activityExecutionContexts, bookmarks } = listsOf.get(state) ?? state;
  return { activityExecutionContexts: activityExecutionContexts.length, bookmarks: bookmarks.length };
}

/** Counts the items of the lists that are not at rest: a pass over the state has to look at that many. */
export function countAwake(lists: RestingLists): number {
  let count = 0;
  for (const name of RESTING_LISTS) for (const entry of lists[name]) if (!(entry instanceof RestingPart)) count++;
  return count;
}

/**
 * Gives a state its lists. A reader of one of them as a member of the state gets plain values, as of any other state.
 * @param state without them; it is changed
 */
export function withRestingLists(state: WorkflowState, lists: RestingLists): WorkflowState {
  listsOf.set(state, lists);
  for (const name of RESTING_LISTS)
    Object.defineProperty(state, name, {
      get: () => takeLists(state, lists)[name],
      set: (value: unknown) => {
        Object.assign(takeLists(state, lists), { [name]: value });
      },
      enumerable: true,
      configurable: true,
    });
  return state;
}

/** All three at once: of lists of which one has changed, no text may be used any more. */
function takeLists(state: WorkflowState, lists: RestingLists): WorkflowState {
  listsOf.delete(state);
  for (const name of RESTING_LISTS)
    Object.defineProperty(state, name, {
      value: (lists[name] as readonly Entry<unknown>[]).map((entry) => readEntry(entry)),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return state;
}

/** Returns the values of an item. */
export function readEntry<T>(entry: Entry<T>): T {
  return entry instanceof RestingPart ? entry.read() : entry;
}
