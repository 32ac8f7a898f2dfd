import { WaymarkError } from '@waymark/core';

/** What is to be scheduled asks for nothing, or for two things. */
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

/** Fired by hand, and no instance waits for what it sends. */
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
