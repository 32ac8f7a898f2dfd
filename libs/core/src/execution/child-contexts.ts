import type { ActivityExecutionContext } from './activity-execution-context.js';
import type { CompletionCallback } from './work-item.js';

/**
 * What an execution has scheduled: children that are not completed, in order of creation, and what it keeps of the others.
 * The children are linked through their contexts, so that one which comes and goes costs four assignments.
 */
export class ChildContexts {
  first: ActivityExecutionContext | undefined = undefined;
  last: ActivityExecutionContext | undefined = undefined;
  size = 0;
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

  add(child: ActivityExecutionContext): void {
    child.siblings = this;
    child.previousSibling = this.last;
    if (this.last) this.last.nextSibling = child;
    else this.first = child;
    this.last = child;
    this.size++;
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
    else this.first = child;
    this.size++;
  }

  delete(child: ActivityExecutionContext): void {
    const { previousSibling, nextSibling } = child;
    if (previousSibling) previousSibling.nextSibling = nextSibling;
    else this.first = nextSibling;
    if (nextSibling) nextSibling.previousSibling = previousSibling;
    else this.last = previousSibling;
    child.siblings = child.previousSibling = child.nextSibling = undefined;
    this.size--;
  }

  /** A copy: cancelling a child takes it out of the list. */
  list(): ActivityExecutionContext[] {
    const all: ActivityExecutionContext[] = [];
    for (let child = this.first; child; child = child.nextSibling) all.push(child);
    return all;
  }
}
