import { WaymarkError } from '@waymark/core';

/** The body of a request came in too many pieces of a few bytes each: each costs as much work as one of many kilobytes. */
export class BodyInPiecesError extends WaymarkError {
  readonly code = 'WM5019';
  constructor(pieces: number, bytes: number) {
    super(
      `The body came in ${pieces} pieces with ${bytes} bytes in total. Nothing was started or resumed: send it in larger chunks.`,
    );
  }
}
