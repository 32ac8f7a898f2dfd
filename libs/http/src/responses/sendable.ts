import { validateHeaderName, validateHeaderValue } from 'node:http';
import { WaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import type { HeaderValue } from './http-response-writer.js';

/**
 * Thrown for a status or header that is not valid in HTTP, or more headers than clients accept. The activity that writes it
 * faults.
 */
export class UnsendableResponseError extends WaymarkError {
  readonly code = 'WM5013';
}

type Header = readonly [name: string, value: HeaderValue];

/** Lines of one response: a header with several values has as many. */
const MOST_HEADERS = 500;
/** Names and values together. Clients end the connection long before that: Node's at 16 KiB, browsers at 256 KiB. */
const MOST_HEADER_CHARS = 65_536;

/**
 * They say where a message ends and what becomes of the connection, which only the server knows, or the client of a request. A
 * wrong length leaves the other side waiting for the rest, or takes what remains for the next message.
 */
const FRAMING = new Set(['content-length', 'transfer-encoding', 'trailer', 'upgrade', 'keep-alive', 'connection']);

/**
 * Asked before each header is looked at, and again with those of earlier writes: what a script makes is of any size.
 * @throws UnsendableResponseError (`WM5013`)
 */
export function requireFewHeaders(headers: Iterable<Header>): void {
  let lines = 0;
  let chars = 0;
  for (const [name, value] of headers) {
    lines += typeof value === 'string' ? 1 : value.length;
    if (typeof value === 'string') chars += name.length + value.length;
    else for (const one of value) chars += name.length + one.length;
    if (lines > MOST_HEADERS || chars > MOST_HEADER_CHARS)
      throw new UnsendableResponseError(
        `The response has more headers than can be sent: ${MOST_HEADERS} lines of ${MOST_HEADER_CHARS} characters in all. ` +
          'Put the data into the content.',
      );
  }
}

/**
 * The headers that are sent, without those of the server. Asked before anything is begun: the adapters find out when they
 * write, too late for another answer, and leave the socket open.
 * @throws UnsendableResponseError (`WM5013`)
 */
export function requireSendable(status: number, headers: readonly Header[]): readonly Header[] {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new UnsendableResponseError(`HTTP status ${status} cannot be sent: use a number from 200 to 599.`);
  requireFewHeaders(headers);
  for (const [name, value] of headers) requireHeader(name, value);
  return headers.some(isFraming) ? headers.filter((header) => !isFraming(header)) : headers;
}

/** True for a header that only who sends the message can know. */
export const isFraming = ([name]: Header): boolean => FRAMING.has(name.toLowerCase());

function requireHeader(name: string, value: HeaderValue): void {
  try {
    validateHeaderName(name);
    if (typeof value === 'string') validateHeaderValue(name, value);
    else for (const one of value) validateHeaderValue(name, one);
  } catch (error) {
    // Not the value: it may come from outside, and be anything.
    throw new UnsendableResponseError(
      `The response header ${JSON.stringify(name)} cannot be sent: ${toErrorLike(error).message}. ` +
        'Header names are tokens such as X-Name; values are text of the characters U+0020 to U+00FF, without line breaks.',
    );
  }
}
