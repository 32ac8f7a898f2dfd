import type { ActivityNode } from '../graph/activity-node.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { VariableSlot } from './variable.js';
import type { Bookmark } from './workflow-state.js';

export type CallbackMethod = (...args: unknown[]) => unknown;

/** Called on the owner when a child it scheduled completes. Stored by name, so that it survives a restart. */
export interface CompletionCallback {
  readonly method: string;
  readonly tag?: unknown;
  /** The method itself; found by its name after a restart. */
  readonly run?: CallbackMethod;
}

/** Who scheduled an execution. */
export interface SchedulingOrigin {
  readonly schedulingActivityExecutionId?: string;
  readonly schedulingActivityId?: string;
  readonly schedulingWorkflowInstanceId?: string;
}

/** What few work items say. */
export interface WorkDetails extends SchedulingOrigin {
  readonly tag?: unknown;
  readonly variables?: readonly VariableSlot[];
  readonly input?: Readonly<Record<string, unknown>>;
  /** Runs this execution (again) instead of a new one. */
  readonly existing?: ActivityExecutionContext;
  /** The bookmark through which `existing` is resumed. */
  readonly bookmark?: Bookmark;
  /** @default one more than that of the owner */
  readonly callStackDepth?: number;
}

export interface Work extends WorkDetails {
  readonly node: ActivityNode;
  readonly owner?: ActivityExecutionContext;
  readonly callback?: CompletionCallback;
  /** Whose completion led to this, for call stacks. @default the owner */
  readonly after?: ActivityExecutionContext;
}

/** One thing to do in a burst. Of one shape and no larger than it must be: every step makes one. */
export class WorkItem {
  constructor(
    readonly node: ActivityNode,
    readonly owner: ActivityExecutionContext | undefined,
    readonly callback: CompletionCallback | undefined,
    readonly after: ActivityExecutionContext | undefined,
    readonly details: WorkDetails | undefined,
  ) {}

  get existing(): ActivityExecutionContext | undefined {
    return this.details === undefined ? undefined : this.details.existing;
  }

  get bookmark(): Bookmark | undefined {
    return this.details === undefined ? undefined : this.details.bookmark;
  }
}

/** First in, first out. Taking moves a head index; the array is begun anew when it is empty, and compacted now and then. */
export class WorkQueue {
  private items: (WorkItem | undefined)[] = [];
  private head = 0;
  private tail = 0;

  get size(): number {
    return this.tail - this.head;
  }

  add(work: Work): void {
    this.push(new WorkItem(work.node, work.owner, work.callback, work.after, work));
  }

  push(item: WorkItem): void {
    this.items[this.tail++] = item;
    if (item.owner) item.owner.children.queuedWork++;
  }

  take(): WorkItem | undefined {
    if (this.head === this.tail) return undefined;
    const item = this.items[this.head]!;
    this.items[this.head++] = undefined;
    if (this.head === this.tail) this.head = this.tail = 0;
    else if (this.head > 1024 && this.head * 2 > this.tail) this.replace(this.list());
    if (item.owner) item.owner.children.queuedWork--;
    return item;
  }

  list(): WorkItem[] {
    return this.items.slice(this.head, this.tail) as WorkItem[];
  }

  removeWhere(predicate: (item: WorkItem) => boolean): void {
    if (this.size === 0) return;
    const kept: WorkItem[] = [];
    for (const item of this.list())
      if (predicate(item)) {
        if (item.owner) item.owner.children.queuedWork--;
      } else kept.push(item);
    this.replace(kept);
  }

  clear(): void {
    this.removeWhere(() => true);
  }

  private replace(items: WorkItem[]): void {
    this.items = items;
    this.head = 0;
    this.tail = items.length;
  }
}
