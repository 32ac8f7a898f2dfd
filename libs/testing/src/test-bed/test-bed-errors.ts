import { WaymarkError } from '@waymark/core';

/** Thrown when the application is idle and what a test waits for has not happened, so that it never will. */
export class NotHappenedError extends WaymarkError {
  readonly code = 'WM9101';

  /**
   * @param expected the rest of "idle, and …"
   * @param found sentences on what the instances wait for
   */
  constructor(
    /** What the test waits for. */
    readonly expected: string,
    /** Time of the virtual clock. */
    readonly at: Date,
    found: string,
  ) {
    super(
      `The application is idle at ${at.toISOString()}, and ${expected}. ${found} ` +
        'Cause the event that it waits for, or advance() the time.',
    );
  }
}

/** Thrown when the application has not become idle within the time limit. */
export class ApplicationBusyError extends WaymarkError {
  readonly code = 'WM9102';

  constructor(
    /** How long it was waited, in milliseconds. */
    readonly patienceMs: number,
    /** Bursts that were still running. */
    readonly activeBursts: number,
  ) {
    super(
      `The application is still busy after ${patienceMs} ms of real time (${activeBursts} bursts are running). ` +
        'An activity waits for something outside, or for a timer of its own: answer it, advance() the time, ' +
        'raise patienceMs, or look for workflows that start one another endlessly.',
    );
  }
}

/** Thrown when the application does not use a clock that can be moved. */
export class NoVirtualClockError extends WaymarkError {
  readonly code = 'WM9103';

  constructor(clock: string) {
    super(
      `The application runs on ${clock}, which a test cannot move. Compile it from WorkflowTestBed.prepare(), ` +
        'or pass `clock: new VirtualClock()` to WorkflowModule.forRoot().',
    );
  }
}
