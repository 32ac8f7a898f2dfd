import { Complete } from '../control-flow/complete.js';
import { Correlate } from '../control-flow/correlate.js';
import { End } from '../control-flow/end.js';
import { Fault } from '../control-flow/fault.js';
import { Finish } from '../control-flow/finish.js';
import { Inline } from '../control-flow/inline.js';
import { SetName } from '../control-flow/set-name.js';
import { SetOutput } from '../control-flow/set-output.js';
import { SetVariable } from '../control-flow/set-variable.js';
import { WriteLine } from '../control-flow/write-line.js';
import type { ActivityExecutionContext } from '../execution/activity-execution-context.js';
import type { ActivityBuilder, ActivitySettings } from './activity-builder.js';
import { buildFromClass, withMembers } from './build-activity.js';
import { functionPart, outputNamePart, variablePart } from './parts.js';
import type { OutputRef, VariableRef } from './references.js';
import type { Evaluated, TypedValue, ValueSource } from './value.js';

/**
 * Adds a step that assigns a value to a variable.
 * @param value a constant, another variable, or a function of the scope
 * @example setVariable(total, (scope) => price.get(scope) * 1.2)
 */
export function setVariable<T>(
  variable: VariableRef<T>,
  value: NoInfer<T> | ValueSource<NoInfer<T>> | Evaluated<NoInfer<T>>,
  settings: ActivitySettings<SetVariable> = {},
): ActivityBuilder {
  return withMembers(buildFromClass(SetVariable, { value }, settings), { variable: variablePart(variable) });
}

/**
 * Sets an output of the workflow. @param output declared by `output` @param value as for `setVariable`
 * @example
 * setOutput(answer, (scope) => `${days.get(scope)} days`)
 */
export function setOutput<T>(
  output: OutputRef<T>,
  value: NoInfer<T> | ValueSource<NoInfer<T>> | Evaluated<NoInfer<T>>,
  settings: ActivitySettings<SetOutput> = {},
): ActivityBuilder {
  const built = buildFromClass(SetOutput, { outputValue: value }, settings);
  return withMembers(built, { outputName: outputNamePart(output) });
}

/**
 * Writes a line of text to the output of the host, which is the option `writeLine`; by default it is the log, at level debug.
 * @param text as for `setVariable`
 */
export function writeLine(
  text: TypedValue<string | number | boolean | null>,
  settings: ActivitySettings<WriteLine> = {},
): ActivityBuilder {
  return buildFromClass(WriteLine, { text }, settings);
}

/**
 * Runs a function: `inline(async (ctx) => total.set(ctx, await sum(items.get(ctx))))`. The return value is the output `result`:
 * `inline(fetchRate, { outputs: { result: rate } })`. The function runs again if the process dies before the burst is stored:
 * see `ctx.idempotencyKey`.
 */
export function inline(
  run: (ctx: ActivityExecutionContext) => unknown,
  settings: ActivitySettings<Inline> = {},
): ActivityBuilder {
  return withMembers(buildFromClass(Inline, {}, settings), { run: functionPart(run) });
}

/**
 * Completes the workflow with these outcomes, also when it is used as an activity.
 * @param outcomes names of the outcomes; `Done` by default
 */
export function complete(...outcomes: readonly string[]): ActivityBuilder {
  return buildFromClass(Complete, outcomes.length === 0 ? {} : { outcomes });
}

/** Ends the whole workflow at once. */
export function finish(): ActivityBuilder {
  return buildFromClass(Finish, {});
}

/** Ends the flowchart or sequence that contains it. */
export function end(): ActivityBuilder {
  return buildFromClass(End, {});
}

/** The error that `fault` raises. */
export interface FaultMembers {
  /** What went wrong. */
  readonly message: TypedValue<string>;
  /** Code of the fault, by which `catchError` recognises it. @default none */
  readonly code?: TypedValue<string>;
  /** Category of the fault. @default none */
  readonly category?: TypedValue<string>;
  /** Type of the fault, such as `Business`. @default none */
  readonly type?: TypedValue<string>;
}

/**
 * Raises a business fault, which no retry policy repeats.
 * @param members its message, and the `code`, `category` and `type` by which callers distinguish it
 * @example fault({ code: 'NoStock', message: (scope) => `There is no ${item.get(scope)} left.` })
 */
export function fault(
  { message, code, category, type }: FaultMembers,
  settings: ActivitySettings<Fault> = {},
): ActivityBuilder {
  return buildFromClass(Fault, { message, code, category, faultType: type }, settings);
}

/**
 * Sets the correlation id of the instance, by which other systems find it.
 * @param correlationId the business key, such as an order number
 */
export function correlate(
  correlationId: TypedValue<string | null>,
  settings: ActivitySettings<Correlate> = {},
): ActivityBuilder {
  return buildFromClass(Correlate, { correlationId }, settings);
}

/** Sets the name of the instance. @param name display name, shown in lists of instances */
export function setName(name: TypedValue<string | null>, settings: ActivitySettings<SetName> = {}): ActivityBuilder {
  return buildFromClass(SetName, { value: name }, settings);
}
