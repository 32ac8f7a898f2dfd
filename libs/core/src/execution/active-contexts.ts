import type { ActivityExecutionContext } from './activity-execution-context.js';

/**
 * Executions that are not completed, in order of creation. Most are looked up never: ids become texts, and the index by id
 * is built, only when somebody asks for one.
 */
export class ActiveContexts {
  private readonly all = new Set<ActivityExecutionContext>();
  private index: Map<string, ActivityExecutionContext> | undefined;

  get size(): number {
    return this.all.size;
  }

  add(ctx: ActivityExecutionContext): void {
    this.all.add(ctx);
    this.index?.set(ctx.id, ctx);
  }

  delete(ctx: ActivityExecutionContext): void {
    this.all.delete(ctx);
    this.index?.delete(ctx.id);
  }

  has(ctx: ActivityExecutionContext): boolean {
    return this.all.has(ctx);
  }

  get(id: string): ActivityExecutionContext | undefined {
    this.index ??= new Map([...this.all].map((ctx) => [ctx.id, ctx] as const));
    return this.index.get(id);
  }

  values(): IterableIterator<ActivityExecutionContext> {
    return this.all.values();
  }
}
