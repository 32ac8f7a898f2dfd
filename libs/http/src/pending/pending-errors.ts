import { WaymarkError } from '@waymark/core';

/** Why an answer is not kept. */
export type NotKeptReason = 'stream' | 'size' | 'credential' | 'no-store';

/** The answer to a request that is over cannot be kept for its client. The activity that writes it faults. */
export class AnswerNotKeptError extends WaymarkError {
  readonly code = 'WM5041';

  constructor(
    /** Why. */
    readonly reason: NotKeptReason,
    message: string,
  ) {
    super(message);
  }
}
