import { isPlainObject } from '../values/plain-object.js';
import { deserialize, serialize } from '../values/storage-codec.js';
import type { ActivityExecutionContextState, Bookmark, WorkflowState } from '../state/workflow-state.js';

/**
 * A stored state from which single executions are taken, with the executions around them. It is read once, however many are taken: with ten
 * thousand branches, a whole copy for each would hold a hundred million.
 */
export class StateParts {
  private readonly contexts = new Map<string, ActivityExecutionContextState>();
  private readonly children = new Map<string, ActivityExecutionContextState[]>();
  private readonly bookmarksOf = new Map<string, Bookmark[]>();
  private readonly bookmarkIds = new Set<string>();
  /** Of values that several of them see. */
  private readonly texts = new Map<object, string>();

  constructor(
    /** As it was loaded; nothing of it is changed. */
    readonly state: WorkflowState,
  ) {
    for (const context of state.activityExecutionContexts) {
      this.contexts.set(context.id, context);
      if (context.parentContextId !== undefined) addTo(this.children, context.parentContextId, context);
    }
    for (const bookmark of state.bookmarks) {
      this.bookmarkIds.add(bookmark.id);
      addTo(this.bookmarksOf, bookmark.activityInstanceId, bookmark);
    }
  }

  /** Returns true if the instance waits at that bookmark. */
  hasBookmark(id: string): boolean {
    return this.bookmarkIds.has(id);
  }

  /**
   * The state with one execution, those around it and those that it began; with values of its own, which may be changed.
   * @returns undefined when there is no such execution
   */
  take(activityInstanceId: string): WorkflowState | undefined {
    const own = this.contexts.get(activityInstanceId);
    if (!own) return undefined;
    const { state } = this;
    const begun = this.begunBy(own);
    const around = this.around(begun, own.parentContextId);
    // In the order of a state: innermost first.
    const parts = [
      ...[...begun].reverse().map((each) => this.copied(each)),
      ...around.map((each) => this.copied(each, true)),
    ];
    return {
      ...state,
      activityExecutionContexts: parts,
      bookmarks: parts.flatMap(({ id }) => this.bookmarksOf.get(id) ?? []),
      completionCallbacks: [],
      scheduledActivities: [],
      input: this.copyOf(state.input, true),
      output: this.copyOf(state.output, true),
      properties: this.copyOf(state.properties, true),
    };
  }

  /** Itself first. */
  private begunBy(own: ActivityExecutionContextState): Set<ActivityExecutionContextState> {
    const all = new Set([own]);
    // What is added on the way is visited, too.
    for (const { id } of all) for (const child of this.children.get(id) ?? []) all.add(child);
    return all;
  }

  private around(within: ReadonlySet<ActivityExecutionContextState>, parentId: string | undefined) {
    const all = new Set<ActivityExecutionContextState>();
    for (let id = parentId; id !== undefined;) {
      const parent = this.contexts.get(id);
      // An imported state may be wrong in any way.
      if (!parent || all.has(parent) || within.has(parent)) break;
      all.add(parent);
      id = parent.parentContextId;
    }
    return [...all];
  }

  private copied(context: ActivityExecutionContextState, isShared = false): ActivityExecutionContextState {
    const { properties, metadata, activityState, input, tag } = context;
    return {
      ...context,
      properties: this.copyOf(properties, isShared),
      metadata: this.copyOf(metadata, isShared),
      // Inputs of what is around an execution are not looked at, and may be large: all items of a loop, for instance.
      activityState: isShared ? activityState : this.copyOf(activityState),
      ...(input && { input: this.copyOf(input, isShared) }),
      ...(tag !== undefined && { tag: this.copyOf(tag, isShared) }),
    };
  }

  private copyOf<T>(value: T, isShared = false): T {
    if (typeof value !== 'object' || value === null) return value;
    if (isPlainObject(value) && Object.keys(value).length === 0) return {} as T;
    if (!isShared) return deserialize<T>(serialize(value));
    let text = this.texts.get(value);
    if (text === undefined) this.texts.set(value, (text = serialize(value)));
    return deserialize<T>(text);
  }
}

function addTo<T>(lists: Map<string, T[]>, key: string, item: T): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
