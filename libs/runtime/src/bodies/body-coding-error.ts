import { WaymarkError } from '@waymark/core';

/** The body of a request is compressed, which its reader does not undo. */
export class BodyCodingError extends WaymarkError {
  readonly code = 'WM5022';
  constructor(
    /** As the request names it: `gzip`. */
    readonly coding: string,
  ) {
    super(
      `The body has the content coding "${coding.slice(0, 100)}", which is not supported. ` +
        'Nothing was started or resumed: send it as it is, without Content-Encoding.',
    );
  }
}

/**
 * The error for a body with a coding. Read as it is, compressed text would be taken for content, or for a form without fields.
 * @param contentEncoding of its request
 * @internal
 */
export function codingFault(contentEncoding: string | undefined): BodyCodingError | undefined {
  const coding = contentEncoding?.trim() ?? '';
  return coding === '' || /^identity$/i.test(coding) ? undefined : new BodyCodingError(coding);
}
