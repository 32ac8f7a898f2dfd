import type { ActivityNode } from '../graph/activity-node.js';
import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { VariableSlot } from '../graph/variable.js';
import type { Bookmark } from '../state/workflow-state.js';

export type CallbackMethod = (...args: unknown[]) => unknown;

/** Called on the owner when a child it scheduled completes. Stored by name, so that it survives a restart. */
export interface CompletionCallback {
  readonly method: string;
  readonly tag?: unknown;
  /** The method itself; found by its name after a restart. */
  readonly run?: CallbackMethod;
}

/** The execution and instance that scheduled an execution. */
export interface SchedulingOrigin {
  readonly schedulingActivityExecutionId?: string;
  readonly schedulingActivityId?: string;
  readonly schedulingWorkflowInstanceId?: string;
}

/** Details that only few work items have. */
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

  /** Which of its owner's rounds of work it is of; the queue says so. */
  round = 0;

  get existing(): ActivityExecutionContext | undefined {
    return this.details === undefined ? undefined : this.details.existing;
  }

  get bookmark(): Bookmark | undefined {
    return this.details === undefined ? undefined : this.details.bookmark;
  }
}

/**
 * First in, first out. Taking moves a head index; the array is begun anew when it is empty, and compacted now and then.
 *
 * Work of an owner is dropped without being looked for, by beginning another round of it: what is left of earlier rounds is
 * passed over when its turn comes. To look for it would make cancelling many branches quadratic.
 */
export class WorkQueue {
  private items: (WorkItem | undefined)[] = [];
  private head = 0;
  private tail = 0;
  private dropped = 0;
  /** How many items run each execution again. Absent: none does, as in most bursts. */
  private runsAgain: Map<ActivityExecutionContext, number> | undefined;
  /** Left to another caller: stored with the rest, and not taken. */
  private held: WorkItem[] = [];

  get isHolding(): boolean {
    return this.held.length > 0;
  }

  /** To take; what is held back is not among it. */
  get size(): number {
    return this.tail - this.head - this.dropped;
  }

  add(work: Work): void {
    this.push(new WorkItem(work.node, work.owner, work.callback, work.after, work));
  }

  push(item: WorkItem): void {
    this.items[this.tail++] = item;
    const { owner } = item;
    if (item.details !== undefined && item.existing) this.countRuns(item.existing, 1);
    if (owner === undefined) return;
    const { children } = owner;
    item.round = children.round;
    children.queuedWork++;
  }

  take(): WorkItem | undefined {
    while (this.head !== this.tail) {
      const item = this.items[this.head]!;
      this.items[this.head++] = undefined;
      if (this.head === this.tail) this.head = this.tail = 0;
      else if (this.head > 1024) this.compact();
      if (item.details !== undefined && item.existing) this.countRuns(item.existing, -1);
      const children = item.owner?.activeChildren;
      if (children === undefined) return item;
      if (children.round === item.round) {
        children.queuedWork--;
        return item;
      }
      this.dropped--;
    }
    return undefined;
  }

  /** What is held back comes first: it was there before. */
  list(): WorkItem[] {
    const items = this.items.slice(this.head, this.tail) as WorkItem[];
    const kept = this.dropped === 0 ? items : items.filter((item) => !isDropped(item));
    return this.isHolding ? [...this.held.filter((item) => !isDropped(item)), ...kept] : kept;
  }

  /** Holds back all that is there. Its owners continue waiting for it, and dropping their work drops it. */
  hold(): void {
    this.held = this.list();
    this.items = [];
    this.head = this.tail = this.dropped = 0;
    this.runsAgain = undefined;
  }

  /** The first of what is held back, where the burst that it was left to is given up. */
  takeHeld(): WorkItem | undefined {
    const item = this.held.find((held) => !isDropped(held));
    if (!item) return undefined;
    this.held = this.held.filter((held) => held !== item);
    if (item.owner) item.owner.children.queuedWork--;
    return item;
  }

  /** What this owner has scheduled. */
  dropWorkOf(owner: ActivityExecutionContext): void {
    const { children } = owner;
    const held = this.isHolding ? this.held.filter((item) => item.owner === owner && !isDropped(item)).length : 0;
    this.dropped += children.queuedWork - held;
    children.queuedWork = 0;
    children.round++;
  }

  /** Further runs of this execution. Costs nothing where it has none, however many others have. */
  dropRunsOf(ctx: ActivityExecutionContext): void {
    if (!this.runsAgain?.has(ctx) && !this.isHolding) return;
    this.keepOnly((item) => item.existing !== ctx);
  }

  clear(): void {
    this.keepOnly(() => false);
  }

  private keepOnly(isKept: (item: WorkItem) => boolean): void {
    const held = new Set(this.held);
    this.held = [];
    const kept: WorkItem[] = [];
    for (const item of this.list().concat([...held].filter((item) => !isDropped(item))))
      if (isKept(item)) (held.has(item) ? this.held : kept).push(item);
      else if (item.owner) item.owner.children.queuedWork--;
    this.items = kept;
    this.head = this.dropped = 0;
    this.tail = kept.length;
    this.runsAgain = undefined;
    for (const { existing } of kept) if (existing) this.countRuns(existing, 1);
  }

  private countRuns(ctx: ActivityExecutionContext, change: number): void {
    const count = (this.runsAgain?.get(ctx) ?? 0) + change;
    if (count > 0) (this.runsAgain ??= new Map()).set(ctx, count);
    else this.runsAgain?.delete(ctx);
  }

  private compact(): void {
    if (this.head * 2 <= this.tail) return;
    this.items = this.items.slice(this.head, this.tail);
    this.tail -= this.head;
    this.head = 0;
  }
}

function isDropped({ owner, round }: WorkItem): boolean {
  return owner !== undefined && owner.children.round !== round;
}
