import { WaymarkError } from './waymark-error.js';

/** Thrown when something was stored in a format that this version does not know: a newer version of Waymark has written it. */
export class NewerFormatError extends WaymarkError {
  readonly code = 'WM2053';
  /** @param subject what it is, e.g. `The state of instance "x"` */
  constructor(
    /** What cannot be read. */
    readonly subject: string,
    options?: { readonly cause?: unknown },
  ) {
    super(
      `${subject} was written by a newer version of Waymark, which this node cannot read. It is left to nodes of that version: ` +
        'update this node.',
      options,
    );
  }
}
