import { Break } from '../control-flow/break.js';
import { ForEach } from '../control-flow/for-each.js';
import { For } from '../control-flow/for.js';
import { ParallelForEach } from '../control-flow/parallel-for-each.js';
import { While } from '../control-flow/while.js';
import type { ActivityBuilder, ActivitySettings, Steps } from './activity-builder.js';
import { buildFromClass } from './build-activity.js';
import { LoopValue } from './references.js';
import type { Evaluated, TypedValue, ValueSource } from './value.js';

/** A list, or an expression or reference that gives one. Written out so that the compiler can infer the type of the items. */
type ListValue<T> = readonly T[] | ValueSource<readonly T[]> | Evaluated<readonly T[]>;

/** The body of a loop; as a function, it receives the current item and its position. */
export type LoopBody<T> = Steps | ((item: LoopValue<T>, index: LoopValue<number>) => Steps);

/**
 * Runs the body for every item, one after the other: `forEach(orders, (order) => activity(Ship, { order }))`.
 * @param items a list, a variable that holds one, or a function of the scope; it is read when the loop begins
 * @param body steps, or a function that returns them for the item and its index, which starts at 0
 */
export function forEach<T>(
  items: ListValue<T>,
  body: LoopBody<T>,
  settings: ActivitySettings<ForEach> = {},
): ActivityBuilder {
  return loop(body, ['CurrentValue', 'CurrentIndex'], (steps, loopNames) =>
    buildFromClass(ForEach, { items, body: steps }, settings, { loopNames }),
  );
}

/**
 * Runs the body for all items in parallel, and waits until all have completed.
 * @param items as for `forEach` @param body as for `forEach`
 * @example
 * parallelForEach(orders, (order) => activity(Ship, { order }))
 */
export function parallelForEach<T>(
  items: ListValue<T>,
  body: LoopBody<T>,
  settings: ActivitySettings<ParallelForEach> = {},
): ActivityBuilder {
  return loop(body, ['CurrentValue', 'CurrentIndex'], (steps, loopNames) =>
    buildFromClass(ParallelForEach, { items, body: steps }, settings, { loopNames }),
  );
}

/** The range of numbers of `forLoop`. */
export interface ForRange {
  /** First number. */
  readonly from: TypedValue<number>;
  /** Last number. */
  readonly to: TypedValue<number>;
  /** Increment; a negative one counts down. @default 1 */
  readonly step?: TypedValue<number>;
  /** If false, `to` itself is excluded. @default true */
  readonly inclusive?: TypedValue<boolean>;
}

/**
 * Runs the body for every number of a range: `forLoop({ from: 1, to: 3 }, (n) => …)`.
 * @param range the range; it includes `to` unless `inclusive` is false; `step` is 1 by default and may be negative
 */
export function forLoop(
  { from, to, step = 1, inclusive }: ForRange,
  body: Steps | ((value: LoopValue<number>) => Steps),
  settings: ActivitySettings<For> = {},
): ActivityBuilder {
  return loop(body, ['CurrentValue'], (steps, loopNames) =>
    buildFromClass(For, { start: from, end: to, step, outerBoundInclusive: inclusive, body: steps }, settings, {
      loopNames,
    }),
  );
}

/**
 * Repeats the body while the condition holds. The condition is evaluated before each run.
 * @param condition a variable or a function of the scope; with a constant the loop would never end
 * @example
 * whileLoop((scope) => left.get(scope) > 0, activity(TakeOne, {}, { outputs: { left } }))
 */
export function whileLoop(
  condition: TypedValue<boolean | null>,
  body: Steps,
  settings: ActivitySettings<While> = {},
): ActivityBuilder {
  return buildFromClass(While, { condition, body }, settings);
}

/** Leaves the nearest loop. */
export function breakLoop(settings: ActivitySettings<Break> = {}): ActivityBuilder {
  return buildFromClass(Break, {}, settings);
}

function loop<T>(
  body: LoopBody<T>,
  names: readonly string[],
  build: (steps: Steps, loopNames: readonly string[]) => ActivityBuilder,
): ActivityBuilder {
  const item = new LoopValue<T>('CurrentValue');
  const index = new LoopValue<number>('CurrentIndex');
  const built = build(typeof body === 'function' ? body(item, index) : body, names);
  item.loop = index.loop = built;
  return built;
}
