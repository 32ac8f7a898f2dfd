import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { RestingChildren } from './resting-contexts.js';
import type { CompletionCallback } from './work-item.js';

/**
 * The children that an execution has scheduled: those that are not completed, in order of creation, and the outputs of the
 * others. The children are linked through their contexts, so that one which comes and goes costs four assignments.
 */
export class ChildContexts {
  /** Of those that are restored. @internal */
  firstAwake: ActivityExecutionContext | undefined = undefined;
  /** Of those that are restored: what began in this burst is behind all others. */
  last: ActivityExecutionContext | undefined = undefined;
  private countAwake = 0;
  /** Those of the stored state that are not restored yet. @internal */
  resting: RestingChildren | undefined = undefined;
  /** Work items of this owner that still wait in the queue. */
  queuedWork = 0;
  /** Counts how often that work was dropped, see `WorkQueue`. */
  round = 0;
  /** Outputs of completed children, by activity id. */
  outputs: Map<string, Record<string, unknown>> | undefined = undefined;
  /** The callback named last: a sequence names the same one for each of its steps. */
  lastCallback: CompletionCallback | undefined = undefined;

  get isWaitedFor(): boolean {
    return this.queuedWork > 0 || this.size > 0;
  }

  get size(): number {
    return this.resting === undefined ? this.countAwake : this.countAwake + this.resting.count;
  }

  /** The one that began first. Those at rest are restored: who looks at one sibling after the other looks at all. */
  get first(): ActivityExecutionContext | undefined {
    if (this.resting !== undefined && this.resting.count > 0) this.resting.wake();
    return this.firstAwake;
  }

  add(child: ActivityExecutionContext): void {
    child.siblings = this;
    child.previousSibling = this.last;
    if (this.last) this.last.nextSibling = child;
    else this.firstAwake = child;
    this.last = child;
    this.countAwake++;
  }

  /** Those that began later stay behind it: who looks for new ones begins with the last. */
  insert(child: ActivityExecutionContext): void {
    let next: ActivityExecutionContext | undefined;
    for (let c = this.last; c && c.number > child.number; c = c.previousSibling) next = c;
    if (!next) return this.add(child);
    const before = next.previousSibling;
    child.siblings = this;
    child.previousSibling = before;
    child.nextSibling = next;
    next.previousSibling = child;
    if (before) before.nextSibling = child;
    else this.firstAwake = child;
    this.countAwake++;
  }

  delete(child: ActivityExecutionContext): void {
    const { previousSibling, nextSibling } = child;
    if (previousSibling) previousSibling.nextSibling = nextSibling;
    else this.firstAwake = nextSibling;
    if (nextSibling) nextSibling.previousSibling = previousSibling;
    else this.last = previousSibling;
    child.siblings = child.previousSibling = child.nextSibling = undefined;
    this.countAwake--;
  }

  /** A copy: cancelling a child takes it out of the list. */
  list(): ActivityExecutionContext[] {
    return this.from(this.first);
  }

  /** The same of those that are restored. */
  awake(): ActivityExecutionContext[] {
    return this.from(this.firstAwake);
  }

  private from(first: ActivityExecutionContext | undefined): ActivityExecutionContext[] {
    const all: ActivityExecutionContext[] = [];
    for (let child = first; child; child = child.nextSibling) all.push(child);
    return all;
  }
}
