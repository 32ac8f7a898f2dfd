import { WaymarkError } from '@waymark/core';

/** The content of an upload is asked for after the burst that the request was for. */
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

/** An upload finds no room on this host. */
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
