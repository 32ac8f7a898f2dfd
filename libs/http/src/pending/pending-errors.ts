import { WaymarkError } from '@waymark/core';

/** The answer to a request that is over cannot be kept for its client. The activity that writes it faults. */
export class AnswerNotKeptError extends WaymarkError {
  readonly code = 'WM5041';
}
