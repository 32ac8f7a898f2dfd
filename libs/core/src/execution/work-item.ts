import type { ActivityNode } from '../graph/activity-node.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { VariableSlot } from './variable.js';
import type { Bookmark } from './workflow-state.js';

/** Called on the owner when a child it scheduled completes. Stored by name, so that it survives a restart. */
export interface CompletionCallback {
  readonly method: string;
  readonly tag?: unknown;
}

/** One thing to do in a burst. */
export interface WorkItem {
  readonly node: ActivityNode;
  readonly owner?: ActivityExecutionContext;
  readonly callback?: CompletionCallback;
  readonly tag?: unknown;
  readonly variables?: readonly VariableSlot[];
  readonly input?: Readonly<Record<string, unknown>>;
  /** Runs this execution (again) instead of a new one. */
  readonly existing?: ActivityExecutionContext;
  /** The bookmark through which `existing` is resumed. */
  readonly bookmark?: Bookmark;
  readonly schedulingActivityExecutionId?: string;
  readonly schedulingActivityId?: string;
  readonly schedulingWorkflowInstanceId?: string;
  readonly callStackDepth?: number;
}

/** First in, first out. Taking moves a head index; the array is compacted now and then. */
export class WorkQueue {
  private items: (WorkItem | undefined)[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  add(item: WorkItem): void {
    this.items.push(item);
    if (item.owner) item.owner.queuedWork++;
  }

  take(): WorkItem | undefined {
    if (this.head >= this.items.length) return undefined;
    const item = this.items[this.head]!;
    this.items[this.head++] = undefined;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    if (item.owner) item.owner.queuedWork--;
    return item;
  }

  list(): WorkItem[] {
    return this.items.slice(this.head) as WorkItem[];
  }

  removeWhere(predicate: (item: WorkItem) => boolean): void {
    if (this.size === 0) return;
    const kept: WorkItem[] = [];
    for (const item of this.list())
      if (predicate(item)) {
        if (item.owner) item.owner.queuedWork--;
      } else kept.push(item);
    this.items = kept;
    this.head = 0;
  }

  clear(): void {
    this.removeWhere(() => true);
  }
}
