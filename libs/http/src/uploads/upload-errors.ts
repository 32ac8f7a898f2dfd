import { WaymarkError } from '@waymark/core';

/** Thrown when the content of an upload is read after the end of its burst. */
export class UploadGoneError extends WaymarkError {
  readonly code = 'WM5065';
  constructor(
    /** Name of the file. */
    readonly filename: string,
  ) {
    super(
      `The content of the uploaded file "${filename}" is gone: it is available only during the burst of its request. Read it ` +
        'there, or keep it in a variable that is stored with the instance.',
    );
  }
}

/** Thrown when this host has no space for an upload. */
export class UploadStorageError extends WaymarkError {
  readonly code = 'WM5066';
  /** @param reason what is wrong with it, for the log */
  constructor(
    /** What the file system said. */
    readonly reason: string,
    options?: { cause?: unknown },
  ) {
    super(
      'The host has no room for this upload at the moment. Nothing was started or resumed: send it again later.',
      options,
    );
  }
}
