import { WaymarkError } from '@waymark/core';

/** Thrown when a schedule does not exist, or no longer exists. */
export class ScheduleNotFoundError extends WaymarkError {
  readonly code = 'WM4030';
  constructor(
    /** Id of the schedule. */
    readonly scheduleId: string,
  ) {
    super(
      `There is no schedule "${scheduleId}". A schedule is removed when its workflow is retracted, or published with another trigger in its place: list the schedules again.`,
    );
  }
}

/** Thrown when a schedule is to be paused that will not fire again. */
export class ScheduleOverError extends WaymarkError {
  readonly code = 'WM4031';
  constructor(
    /** Id of the schedule. */
    readonly scheduleId: string,
  ) {
    super(
      `Schedule "${scheduleId}" will not fire any more, so it cannot be paused. Publish its workflow with a later time to schedule it again.`,
    );
  }
}

/** Why a firing by hand was refused, by overlap policy; without one it was the activation strategy of the workflow. */
const WHY_REFUSED: Readonly<Record<string, string>> = {
  skip: "an instance that it has started is still running, and its overlap policy 'skip' skips firings meanwhile. Fire it again when that instance has ended.",
  queue:
    "an instance that it has started is still running, and its overlap policy 'queue' queues only occurrences, not manual firings. Fire it again when that instance has ended.",
  cancelPrevious:
    "by its overlap policy 'cancelPrevious' the running instance was cancelled, but another one started first. Fire it again to replace that one.",
};

/**
 * Thrown by a manual firing when the overlap policy of the schedule or the activation strategy of the workflow forbids another
 * instance now.
 */
export class ScheduleRefusedError extends WaymarkError {
  readonly code = 'WM4032';
  constructor(
    /** Id of the schedule. */
    readonly scheduleId: string,
    /** Logical id of the workflow definition, which all its versions share. */
    readonly definitionId: string,
    /** Overlap policy that refused it: `skip`, `queue` or `cancelPrevious`. Undefined: the activation strategy did. */
    readonly overlap?: string,
  ) {
    const why =
      (overlap === undefined ? undefined : WHY_REFUSED[overlap]) ??
      `the activation strategy of workflow "${definitionId}" refuses another instance now. Fire it again when the running one has ended.`;
    super(`Schedule "${scheduleId}" was not fired: ${why}`);
  }
}

/** Thrown when an argument of a request about schedules is invalid or out of range. */
export class InvalidScheduleArgumentError extends WaymarkError {
  readonly code = 'WM4033';
  constructor(
    /** The member. */
    readonly member: string,
    reason: string,
  ) {
    super(`'${member}' of a request for schedules ${reason}`);
  }
}

/** Thrown when the module that fires timers is not imported. */
export class SchedulingMissingError extends WaymarkError {
  readonly code = 'WM4034';
  constructor() {
    super(
      'This application has no scheduling, so there are no schedules. Import WorkflowModule, or SchedulingModule beside the runtime.',
    );
  }
}
