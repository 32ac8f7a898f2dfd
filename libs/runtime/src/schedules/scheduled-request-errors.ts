import { WaymarkError } from '@waymark/core';

/** Thrown when a request to be scheduled contains no action, or more than one. */
export class InvalidScheduledRequestError extends WaymarkError {
  readonly code = 'WM6032';
  constructor(
    /** Id of the schedule. */
    readonly scheduleId: string,
    reason: string,
  ) {
    super(
      `Schedule "${scheduleId}" ${reason}. Give either the \`definition\` to start, the \`bookmarkId\` to resume, or the \`activity\` whose stimulus resumes.`,
    );
  }
}

/** Thrown by a manual firing when no instance waits for the stimulus of the schedule. */
export class NothingToResumeError extends WaymarkError {
  readonly code = 'WM6033';
  constructor(
    /** Id of the schedule. */
    readonly scheduleId: string,
  ) {
    super(
      `Schedule "${scheduleId}" was not fired: no instance waits for its stimulus. Fire it again when one does; its times do not change.`,
    );
  }
}
