import type { TimeSpanInput } from '../values/time-span.js';
import { Compensable } from '../control-flow/compensable.js';
import { Compensate, Confirm } from '../control-flow/compensate.js';
import { Timeout } from '../control-flow/timeout.js';
import { Try } from '../control-flow/try.js';
import type { CaughtError } from '../state/stored-fault.js';
import {
  type ActivityBuilder,
  type ActivitySettings,
  isActivityBuilder,
  requireSettings,
  type Steps,
} from './activity-builder.js';
import { buildFromClass, toActivity, withMembers } from './build-activity.js';
import { activityIdInputPart } from './parts.js';
import { ScopedValue } from './references.js';
import type { TypedValue } from './value.js';

/**
 * Selects errors: by a code such as `WM5012` or a name such as `TypeError`, in which `*` stands for any text, or by the class
 * of the error.
 */
export type ErrorName = string | (abstract new (...args: never[]) => Error);

/** Steps, or a function that receives the error and returns them. */
export type ErrorBranch = Steps | ((error: ScopedValue<CaughtError>) => Steps);

/** A catch of `tryCatch`. */
export interface CatchBuilder {
  /** Codes and names of the errors that it catches; all errors if the list is empty. */
  readonly errors: readonly string[];
  /** What it runs. */
  readonly branch: ErrorBranch;
}

/**
 * Declares a catch of `tryCatch`: `catchError(['PaymentError', 'WM50*'], (error) => …)`.
 * @param errors names, codes, or error classes, which match by name, including derived classes; `*` stands for any text
 * @param branch steps, or a function that returns them for the error
 */
export function catchError(errors: ErrorName | readonly ErrorName[], branch: ErrorBranch): CatchBuilder {
  const list = Array.isArray(errors) ? (errors as readonly ErrorName[]) : [errors as ErrorName];
  return { errors: list.map((error) => (typeof error === 'string' ? error : error.name)), branch };
}

/** Settings of `tryCatch`. */
export interface TrySettings extends Omit<ActivitySettings<Try>, 'json'> {
  /** Catches for certain errors; the first that matches runs. */
  readonly catches?: readonly CatchBuilder[];
  /** Steps that run for all other errors. */
  readonly catch?: ErrorBranch;
  /**
   * Steps that always run: after the body, after a catch, before an unhandled error is passed on, and when the Try is
   * cancelled.
   */
  readonly finally?: Steps | ((error: ScopedValue<CaughtError | null>) => Steps);
}

/**
 * Runs the body. If it fails, undoes its completed steps (see `compensable`) and runs the catch that matches:
 *
 *     tryCatch([bookFlight, bookHotel, payAll], {
 *       catches: [catchError(CardDeclined, askForAnotherCard)],
 *       catch: (error) => writeLine((scope) => error.get(scope).message),
 *       finally: tellCustomer,
 *     })
 * @param body the steps that may fail @param settings the catches, in the order in which they are compared, and the steps that
 *   always run
 */
export function tryCatch(body: Steps, settings: TrySettings = {}): ActivityBuilder {
  requireSettings('tryCatch()', settings, 'catches', 'catch', 'finally');
  const { catches = [], catch: otherwise, finally: last, ...others } = settings;
  const error = new ScopedValue<CaughtError>('Error');
  const stepsOf = (branch: ErrorBranch): Steps => (typeof branch === 'function' ? branch(error) : branch);
  const lastSteps = typeof last === 'function' ? last(error as ScopedValue<CaughtError | null>) : last;
  const branches = catches.map(({ errors, branch }) => ({ errors, activity: toActivity(stepsOf(branch)) }));
  const built = withMembers(
    buildFromClass(Try, { body, catch: otherwise && stepsOf(otherwise), finally: lastSteps }, others, {
      loopNames: ['Error'],
    }),
    branches.length === 0 ? {} : { catches: branches },
  );
  error.loop = built;
  return built;
}

/** Steps, or a function that receives the outputs of the body, by PascalCase name, and returns them. */
export type UndoSteps = Steps | ((outputs: ScopedValue<Readonly<Record<string, unknown>>>) => Steps);

/** Settings of `compensable`. */
export interface CompensableSettings extends ActivitySettings<Compensable> {
  /** Steps that undo it, with the variables as they were when it was completed. */
  readonly undo?: UndoSteps;
  /** Steps that run when the activity `confirm` decides that it will not be undone. */
  readonly confirm?: UndoSteps;
  /** Names of the variables whose values are kept for `undo` and `confirm`. @default all that are stored with the instance */
  readonly keep?: readonly string[];
}

/**
 * Declares a step that can be undone: `compensable(bookFlight, { undo: activity(CancelFlight, { bookingId }) })`.
 * @param body the step @param settings settings, including `undo` and `confirm`, and which variables to `keep` for them
 */
export function compensable(body: Steps, settings: CompensableSettings): ActivityBuilder {
  requireSettings('compensable()', settings, 'undo', 'confirm', 'keep');
  const { undo, confirm: confirmed, keep, ...others } = settings;
  const outputs = new ScopedValue<Readonly<Record<string, unknown>>>('StepOutputs');
  const stepsOf = (steps: UndoSteps | undefined): Steps | undefined =>
    typeof steps === 'function' ? steps(outputs) : steps;
  const built = buildFromClass(Compensable, { body, undo: stepsOf(undo), confirm: stepsOf(confirmed), keep }, others, {
    loopNames: ['StepOutputs'],
  });
  outputs.loop = built;
  return built;
}

/** Undoes all completed steps of the enclosing scope, or one of them. @param step a `compensable`, or its id or name */
export function compensate(
  step?: ActivityBuilder | string,
  settings: ActivitySettings<Compensate> = {},
): ActivityBuilder {
  return withStep(Compensate, step, settings);
}

/**
 * Confirms all completed steps of the enclosing scope, or one of them: they will not be undone. @param step as for `compensate`
 */
export function confirm(step?: ActivityBuilder | string, settings: ActivitySettings<Confirm> = {}): ActivityBuilder {
  return withStep(Confirm, step, settings);
}

/**
 * Runs the body, and cancels it with an error (`WM2060`) when it takes longer than the given time.
 * @param timeSpan milliseconds, or text: `00:05:00`, `3 days`, `PT72H`
 * @example timeout('2 days', activity(Approval))
 */
export function timeout(
  timeSpan: TypedValue<TimeSpanInput>,
  body: Steps,
  settings: ActivitySettings<Timeout> = {},
): ActivityBuilder {
  return buildFromClass(Timeout, { timeSpan, body }, settings);
}

function withStep(
  type: typeof Compensate | typeof Confirm,
  step: ActivityBuilder | string | undefined,
  settings: ActivitySettings,
): ActivityBuilder {
  if (!isActivityBuilder(step)) return buildFromClass(type, { compensableId: step }, settings);
  return withMembers(buildFromClass(type, {}, settings), { compensableId: activityIdInputPart(step) });
}
