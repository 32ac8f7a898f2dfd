import { RESTING_LISTS, RestingPart, withRestingLists } from '../../state/resting-state.js';
import type { WorkflowState } from '../../state/workflow-state.js';
import { deserialize, serialize } from '../../values/storage-codec.js';

/** A part as a store keeps it: as text. */
export class TestPart<T> extends RestingPart<T> {
  /** Parts that were read, by all tests. */
  static reads = 0;
  private readonly text: string;

  constructor(id: string, ownerId: string | undefined, value: T) {
    super(id, ownerId);
    this.text = serialize(value);
  }

  protected make(): T {
    TestPart.reads++;
    return deserialize<T>(this.text);
  }
}

/** The same state, with all items of its lists at rest. */
export function atRest(state: WorkflowState): WorkflowState {
  const frame = { ...state };
  for (const name of RESTING_LISTS) frame[name] = [];
  return withRestingLists(frame, {
    activityExecutionContexts: state.activityExecutionContexts.map((s) => new TestPart(s.id, s.parentContextId, s)),
    bookmarks: state.bookmarks.map((bookmark) => new TestPart(bookmark.id, bookmark.activityInstanceId, bookmark)),
    completionCallbacks: state.completionCallbacks.map(
      (callback) => new TestPart(callback.childInstanceId!, callback.ownerInstanceId, callback),
    ),
  });
}
