import type { ActivityExecutionContext } from './activity-execution-context.js';

/**
 * Executions that are not completed, in order of creation: a list linked through the contexts, so that a step which comes
 * and goes costs four assignments. Few are ever looked up by id: contexts of a stored state are, all others get their id as
 * text only when somebody asks.
 */
export class ActiveContexts {
  private first: ActivityExecutionContext | undefined = undefined;
  private last: ActivityExecutionContext | undefined = undefined;
  private count = 0;
  private readonly index = new Map<string, ActivityExecutionContext>();
  /** True: every context is in the index, not only those of the stored state. */
  private isIndexed = false;

  get size(): number {
    return this.count;
  }

  add(ctx: ActivityExecutionContext): void {
    ctx.isActive = true;
    ctx.previousActive = this.last;
    if (this.last) this.last.nextActive = ctx;
    else this.first = ctx;
    this.last = ctx;
    this.count++;
    if (this.isIndexed || ctx.isRestored) this.enter(ctx);
  }

  delete(ctx: ActivityExecutionContext): void {
    if (!ctx.isActive) return;
    const { previousActive, nextActive } = ctx;
    if (previousActive) previousActive.nextActive = nextActive;
    else this.first = nextActive;
    if (nextActive) nextActive.previousActive = previousActive;
    else this.last = previousActive;
    ctx.isActive = false;
    ctx.previousActive = ctx.nextActive = undefined;
    this.count--;
    if (ctx.isIndexed) this.index.delete(ctx.id);
  }

  has(ctx: ActivityExecutionContext): boolean {
    return ctx.isActive;
  }

  get(id: string): ActivityExecutionContext | undefined {
    const found = this.index.get(id);
    if (found || this.isIndexed) return found;
    this.isIndexed = true;
    for (const ctx of this.values()) this.enter(ctx);
    return this.index.get(id);
  }

  /** All of them. Whoever changes the list on the way takes a copy first. */
  *values(): IterableIterator<ActivityExecutionContext> {
    for (let ctx = this.first; ctx; ctx = ctx.nextActive) yield ctx;
  }

  private enter(ctx: ActivityExecutionContext): void {
    ctx.isIndexed = true;
    this.index.set(ctx.id, ctx);
  }
}
