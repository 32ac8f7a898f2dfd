import { WaymarkError } from '@waymark/core';

/** There is no such schedule (any more). */
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

/** A schedule that fires no more has nothing to pause. */
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

/** Fired by hand, and the overlap policy of the schedule or the activation strategy of the workflow forbids another instance now. */
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

/** A member of the request is out of its range. */
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

/** The module that fires timers is not part of the application. */
export class SchedulingMissingError extends WaymarkError {
  readonly code = 'WM4034';
  constructor() {
    super(
      'This application has no scheduling, so there are no schedules. Import WorkflowModule, or SchedulingModule beside the runtime.',
    );
  }
}
