import type { ActivityExecutionContext } from './activity-execution-context.js';
import { ChildContexts } from './child-contexts.js';
import type { RestingContexts } from './resting-contexts.js';

/**
 * Holds the executions that are not completed, as a tree: each is in the list of its parent. Only contexts of a stored state
 * are indexed by id; all others get their id as text only when it is read.
 */
export class ActiveContexts {
  /** Those that belong to no other: the root, and what was scheduled by one that had ended. */
  private readonly roots = new ChildContexts();
  private count = 0;
  private index: Map<string, ActivityExecutionContext> | undefined = undefined;
  /** If true, every context is in the index, not only those of the stored state. */
  private isIndexed = false;

  /** Executions of the stored state that are not restored yet; undefined: all are. @internal */
  resting: RestingContexts | undefined = undefined;

  get size(): number {
    return this.resting === undefined ? this.count : this.count + this.resting.count;
  }

  add(ctx: ActivityExecutionContext): void {
    const { parent } = ctx;
    (parent?.siblings ? parent.children : this.roots).add(ctx);
    this.count++;
    if (this.isIndexed || isOfStoredState(ctx)) (this.index ??= new Map()).set(ctx.id, ctx);
  }

  /** Moves a context to another parent, among its children in order of creation. */
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
    const found = this.index?.get(id) ?? this.resting?.wake(id);
    if (found || this.isIndexed) return found;
    this.isIndexed = true;
    this.index = new Map(this.awake().map((ctx) => [ctx.id, ctx]));
    return this.index.get(id);
  }

  /** All of them, in order of creation. A copy. Restores what is at rest: ask `awake` where that is enough. */
  values(): ActivityExecutionContext[] {
    this.resting?.wakeAll();
    return this.awake();
  }

  /** Those that the burst has begun, or has restored because something needed them, in order of creation. A copy. */
  awake(): ActivityExecutionContext[] {
    const all: ActivityExecutionContext[] = this.roots.awake();
    // What is added on the way is visited, too. No recursion: loops may be nested as deep as they like.
    for (let i = 0; i < all.length; i++)
      for (let child = all[i]!.activeChildren?.firstAwake; child; child = child.nextSibling) all.push(child);
    return all.sort((left, right) => left.number - right.number);
  }
}

function isOfStoredState(ctx: ActivityExecutionContext): boolean {
  return ctx.number < 0;
}
