import { WaymarkError } from './waymark-error.js';

/** Thrown when a definition could not be compiled to a graph. */
export class WorkflowCompileError extends WaymarkError {
  readonly code = 'WM1010';
}

/** Thrown when workflows used as activities contain one another. */
export class CircularWorkflowError extends WaymarkError {
  readonly code = 'WM1011';
  constructor(
    /** The definitions of the circle, in order. */
    readonly definitionIds: readonly string[],
    /** The classes or files that define them, in the same order; empty for definitions from the database. */
    readonly sources: readonly string[] = [],
  ) {
    super(
      `Workflow definitions reference each other in a cycle: ${circleText(definitionIds, sources)}. ` +
        'Remove one of the references, or start the other workflow with ExecuteWorkflow or DispatchWorkflow.',
    );
  }
}

/** Each place once: the last definition is the first one again. */
function circleText(definitionIds: readonly string[], sources: readonly string[]): string {
  const last = definitionIds.length - 1;
  return definitionIds
    .map((id, i) => (i < last && sources[i] !== undefined ? `'${id}' (${sources[i]})` : `'${id}'`))
    .join(' → ');
}

/** Thrown when an operation on a workflow instance is not possible. */
export class WorkflowExecutionError extends WaymarkError {
  readonly code: string;
  constructor(code: `WM20${number}`, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Passed to `onTimedOut()` of an activity that waits, when it is executed again by hand: what it is at is cancelled, and repeated. */
export class ExecutedAgainError extends WaymarkError {
  readonly code = 'WM1059';
  constructor(
    /** Id of the activity in its definition. */
    readonly activityId: string,
  ) {
    super(`Activity '${activityId}' is executed again: what it was at is cancelled, and it has to repeat that.`);
  }
}

/** Thrown when an input of an activity could not be evaluated. */
export class InputEvaluationError extends WaymarkError {
  readonly code = 'WM2001';
  constructor(
    /** Name of the input. */
    readonly inputName: string,
    /** Id of the activity in its definition. */
    readonly activityId: string,
    cause: unknown,
  ) {
    super(
      `Failed to evaluate activity input '${inputName}' of '${activityId}': ${(cause as Error | undefined)?.message ?? String(cause)}`,
      { cause },
    );
  }
}

/** A business fault, raised by the Fault activity or by an activity of the application. */
export class FaultError extends WaymarkError {
  readonly code = 'WM2002';
  /** @param fault the domain's own code, category and type of the fault */
  constructor(
    /** Code, category and type of the fault. */
    readonly fault: { readonly code: string; readonly category: string; readonly type: string },
    message: string,
  ) {
    super(message);
  }
}

/** Thrown when an activity, or a Timeout scope, exceeded its time limit. The work it started is cancelled. */
export class ActivityTimeoutError extends WaymarkError {
  readonly code = 'WM2060';
  constructor(
    /** Id of the activity in its definition. */
    readonly activityId: string,
    /** Its time, in milliseconds. */
    readonly timeoutMs: number,
  ) {
    super(
      `Activity '${activityId}' did not finish within ${timeoutMs} ms. Catch this error with a Try around it, ` +
        'or raise its timeout.',
    );
  }
}

/** Thrown when an activity is executed whose type is not registered, or no longer registered. */
export class ActivityNotFoundError extends WaymarkError {
  readonly code = 'WM2003';
  constructor(
    /** Type name of the activity, such as `Elsa.WriteLine`. */
    readonly activityType: string,
  ) {
    super(
      `Activity type '${activityType}' is not registered on this node. Register the class that implements it, ` +
        'or replace the activity in the definition.',
    );
  }
}

/** Thrown when a state machine is to begin in a state that it does not have. It would be finished at once, as if it had done its work. */
export class InitialStateError extends WaymarkError {
  readonly code = 'WM1096';
  constructor(
    /** Id of the state machine in its definition. */
    readonly activityId: string,
    /** Name of the state. */
    readonly state: string,
  ) {
    super(
      `State machine '${activityId}' cannot begin: it has no state '${state}'. Set its initial state to one of its states.`,
    );
  }
}

/** Thrown for a callback that could not be found again after a restart, because it is not a method of the activity. */
export class InvalidCallbackError extends WaymarkError {
  readonly code = 'WM2004';
  constructor(
    /** Type name of the activity, such as `Elsa.WriteLine`. */
    readonly activityType: string,
    /** Name of the method that is missing. */
    readonly callback: string,
  ) {
    super(
      `'${callback}' is not a method of activity '${activityType}'. Callbacks are stored by name: ` +
        'pass a method of the activity class (this.onResumed), not a closure or a #private method.',
    );
  }
}
