import type { ActivityExecutionContext } from './activity-execution-context.js';

/** Executions that a container has scheduled and that are not completed, in order of creation; linked like `ActiveContexts`. */
export class ChildContexts {
  private first: ActivityExecutionContext | undefined = undefined;
  private last: ActivityExecutionContext | undefined = undefined;
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(child: ActivityExecutionContext): void {
    child.previousSibling = this.last;
    if (this.last) this.last.nextSibling = child;
    else this.first = child;
    this.last = child;
    this.count++;
  }

  delete(child: ActivityExecutionContext): void {
    const { previousSibling, nextSibling } = child;
    if (this.first !== child && !previousSibling) return;
    if (previousSibling) previousSibling.nextSibling = nextSibling;
    else this.first = nextSibling;
    if (nextSibling) nextSibling.previousSibling = previousSibling;
    else this.last = previousSibling;
    child.previousSibling = child.nextSibling = undefined;
    this.count--;
  }

  /** A copy: cancelling a child takes it out of the list. */
  list(): ActivityExecutionContext[] {
    const all: ActivityExecutionContext[] = [];
    for (let child = this.first; child; child = child.nextSibling) all.push(child);
    return all;
  }
}
