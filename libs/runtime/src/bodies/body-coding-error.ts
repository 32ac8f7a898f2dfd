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
 * Names of character sets among them: senders of webhooks write `Content-Encoding: UTF-8`, and mean what belongs into `Content-Type`. Their
 * bodies are as they are.
 */
const NO_CODING = /^(?:identity|utf-?(?:8|16(?:le|be)?)|(?:us-)?ascii|iso-8859-\d{1,2}|windows-125\d)?$/i;

/**
 * The error for a body with a coding. Read as it is, compressed text would be taken for content, or for a form without fields.
 * @param contentEncoding of its request
 * @internal
 */
export function codingFault(contentEncoding: string | undefined): BodyCodingError | undefined {
  const coding = contentEncoding?.trim() ?? '';
  return coding.split(',').every((one) => NO_CODING.test(one.trim())) ? undefined : new BodyCodingError(coding);
}
