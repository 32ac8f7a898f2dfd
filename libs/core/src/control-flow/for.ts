import { Activity, Input, Output, Port } from '../activities/decorators.js';
import { WorkflowExecutionError } from '../errors/execution-errors.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { isBreaking } from './breaking.js';
import { LoopActivity } from './loop-activity.js';

/** The value of the current iteration. */
const CURRENT = 'CurrentStep';
/** The value of the iteration whose body was cancelled: the next attempt repeats it. */
const REPEATS = 'RepeatsStep';

/** Runs its body for every number from a start to an end. */
@Activity({
  type: 'Elsa.For',
  category: 'Looping',
  description: 'Runs its body for every number from a start to an end.',
})
export class For extends LoopActivity {
  /** First number. @default 0 */
  @Input({ type: 'Int32', description: 'First number.' }) start: number | null;
  /** Last number. @default 0 */
  @Input({ type: 'Int32', description: 'Last number.' }) end: number | null;
  /** Increment; a negative one counts down. @default 1 */
  @Input({ type: 'Int32', description: 'Increment; a negative one counts down.' }) step: number | null;
  /** Whether the body also runs for the last number. @default true */
  @Input({ type: 'Boolean', defaultValue: true, description: 'Whether the body also runs for the last number.' })
  outerBoundInclusive: boolean | null;
  /** The current number. */
  @Output({ type: 'Object', description: 'The current number.' }) currentValue: unknown;
  /** What runs for each number. */
  @Port() body: ActivityNode | undefined;

  execute(ctx: ActivityExecutionContext): unknown {
    return this.iterate(ctx);
  }

  /** The next attempt repeats the number: its body was cancelled. */
  override onTimedOut(ctx: ActivityExecutionContext): void {
    const current = ctx.existingProperties?.[CURRENT];
    if (current !== undefined) ctx.properties[REPEATS] = current;
  }

  /** Called by the engine when the body has completed. */
  onBodyCompleted(ctx: ActivityExecutionContext): unknown {
    return isBreaking(ctx) ? ctx.complete() : this.iterate(ctx);
  }

  private iterate(ctx: ActivityExecutionContext): unknown {
    const step = this.step ?? 1;
    if (step === 0)
      throw new WorkflowExecutionError(
        'WM2036',
        `For '${ctx.node.id}' has step 0 and would never end. Give it a step above or below zero.`,
      );
    const value = this.next(ctx, step);
    if (!this.body || !this.isInBound(value, step)) return ctx.complete();
    ctx.setOutput('CurrentValue', value);
    // Afterwards: where that fails, the loop can be run again, and continues with this number.
    ctx.properties[CURRENT] = value;
    return ctx.schedule(this.body, { callback: this.onBodyCompleted, variables: { CurrentValue: value } });
  }

  private next({ properties }: ActivityExecutionContext, step: number): number {
    const previous = properties[CURRENT] as number | undefined;
    if (previous === undefined) return this.start ?? 0;
    if (properties[REPEATS] === undefined) return previous + step;
    // A node that does not know it has gone beyond it.
    const isRepeated = properties[REPEATS] === previous;
    delete properties[REPEATS];
    return isRepeated ? previous : previous + step;
  }

  private isInBound(value: number, step: number): boolean {
    const end = this.end ?? 0;
    if (value === end) return this.outerBoundInclusive ?? true;
    return step > 0 ? value < end : value > end;
  }
}
