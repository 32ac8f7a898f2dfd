import type { ActivityExecutionContext } from './activity-execution-context.js';
import { ChildContexts } from './child-contexts.js';

/**
 * Executions that are not completed: a tree, each in the list of the one it belongs to. Few are ever looked up by id:
 * contexts of a stored state are, all others get their id as text only when it is asked for.
 */
export class ActiveContexts {
  /** Those that belong to no other: the root, and what was scheduled by one that had ended. */
  private readonly roots = new ChildContexts();
  private count = 0;
  private index: Map<string, ActivityExecutionContext> | undefined = undefined;
  /** True: every context is in the index, not only those of the stored state. */
  private isIndexed = false;

  get size(): number {
    return this.count;
  }

  add(ctx: ActivityExecutionContext): void {
    const { parent } = ctx;
    (parent?.siblings ? parent.children : this.roots).add(ctx);
    this.count++;
    if (this.isIndexed || isOfStoredState(ctx)) (this.index ??= new Map()).set(ctx.id, ctx);
  }

  /** Takes in one that has got another parent, among its children in order of creation. */
  adopt(ctx: ActivityExecutionContext): void {
    const { parent } = ctx;
    (parent?.siblings ? parent.children : this.roots).insert(ctx);
    this.count++;
    if (this.isIndexed || isOfStoredState(ctx)) (this.index ??= new Map()).set(ctx.id, ctx);
  }

  delete(ctx: ActivityExecutionContext): void {
    const { siblings } = ctx;
    if (!siblings) return;
    siblings.delete(ctx);
    this.count--;
    if (this.isIndexed || isOfStoredState(ctx)) this.index?.delete(ctx.id);
  }

  has(ctx: ActivityExecutionContext): boolean {
    return ctx.siblings !== undefined;
  }

  get(id: string): ActivityExecutionContext | undefined {
    const found = this.index?.get(id);
    if (found || this.isIndexed) return found;
    this.isIndexed = true;
    this.index = new Map(this.values().map((ctx) => [ctx.id, ctx]));
    return this.index.get(id);
  }

  /** All of them, in order of creation. A copy. */
  values(): ActivityExecutionContext[] {
    const all: ActivityExecutionContext[] = this.roots.list();
    // What is added on the way is visited, too. No recursion: loops may be nested as deep as they like.
    for (let i = 0; i < all.length; i++)
      for (let child = all[i]!.activeChildren?.first; child; child = child.nextSibling) all.push(child);
    return all.sort((left, right) => left.number - right.number);
  }
}

function isOfStoredState(ctx: ActivityExecutionContext): boolean {
  return ctx.number < 0;
}
