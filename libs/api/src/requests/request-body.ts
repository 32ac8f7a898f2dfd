import type { IncomingMessage } from 'node:http';
import { isWaymarkError } from '@waymark/core';
import { ByteBlocks, codingFault, readChunks, type TakeChunk } from '@waymark/runtime/adapter';
import { BodyTooLargeError, InvalidRequestError, UnsupportedMediaTypeError } from '../answers/api-errors.js';
import { bodyClaim } from './body-claim.js';
import { type BodyLimit, raiseHint } from './body-limits.js';
import { rawRequest, type HttpRequest } from './http-request.js';

/** Body of an API request, not yet read. */
export interface RequestBody {
  readonly contentType: string | undefined;
  /** In bytes, if it is announced. */
  readonly contentLength?: number;
  /** False when the headers announce none. */
  readonly isPresent: boolean;
}

const HELD = Symbol('waymark.api.body');

type Held = IncomingMessage & { [HELD]?: RequestBody };

/**
 * Hides the body from the adapter, which sees a request without one. Otherwise it would answer malformed JSON, unknown content
 * types and large bodies itself, each adapter in its own way, and before the credentials are checked.
 */
export function holdBody(raw: IncomingMessage): void {
  const { headers } = raw;
  const length = headers['content-length'];
  (raw as Held)[HELD] = {
    contentType: headers['content-type'],
    ...(length !== undefined && { contentLength: Number(length) }),
    isPresent: headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0'),
  };
  delete headers['content-type'];
  delete headers['content-length'];
  delete headers['transfer-encoding'];
}

export function requestBody(request: HttpRequest): RequestBody {
  const raw: Held = rawRequest(request);
  return raw[HELD] ?? { contentType: raw.headers['content-type'], isPresent: !raw.readableEnded };
}

/**
 * The body as it was parsed before, so that there is nothing left to read: by the adapter, below a global prefix that this
 * library does not know of, or by middleware of the application.
 */
function parsedBody(request: HttpRequest): unknown {
  const raw: Held = rawRequest(request);
  return raw[HELD] && !raw.readableEnded ? undefined : (request as { body?: unknown }).body;
}

/** Reads the body as text. @throws BodyTooLargeError, BodyCodingError, BodyMemoryError, BodyTimeoutError */
export async function readText(request: HttpRequest, limit: BodyLimit): Promise<string> {
  const parsed = parsedBody(request);
  if (parsed !== undefined && parsed !== null) return typeof parsed === 'string' ? parsed : JSON.stringify(parsed);
  return (await readBytes(request, limit)).toString('utf8');
}

async function readBytes(request: HttpRequest, limit: BodyLimit): Promise<Buffer> {
  const { isPresent, contentLength = 0 } = requestBody(request);
  // A stream that has ended emits no second `end`.
  if (!isPresent || rawRequest(request).readableEnded) return Buffer.alloc(0);
  const claim = bodyClaim(request);
  const blocks = new ByteBlocks();
  await readInTime(request, limit, (chunk) => {
    const length = blocks.length + chunk.length;
    if (length > limit.bytes) throw new BodyTooLargeError(limit.bytes, raiseHint(limit.options?.bytes));
    if (blocks.length === 0 && contentLength <= limit.bytes) claim.expect(contentLength);
    claim.hold(length);
    blocks.append(chunk);
    return true;
  });
  return blocks.take();
}

/**
 * Reads a body chunk by chunk, within its time limits.
 * @throws InvalidRequestError when the client leaves, BodyCodingError, BodyTimeoutError, and what `take` throws
 */
export async function readInTime(request: HttpRequest, { bytes, deadline }: BodyLimit, take: TakeChunk): Promise<void> {
  const fault = codingFault(rawRequest(request).headers['content-encoding']);
  if (fault) throw fault;
  try {
    await readChunks(rawRequest(request), take, deadline, bytes);
  } catch (error) {
    if (!isWaymarkError(error, 'WM5002')) throw error;
    throw new InvalidRequestError('The request ended before its body did.', { cause: error });
  }
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export const hasJsonType = (request: HttpRequest): boolean => JSON_TYPE.test(requestBody(request).contentType ?? '');

/** @throws UnsupportedMediaTypeError */
export function requireJsonType(request: HttpRequest): void {
  if (!hasJsonType(request)) throw new UnsupportedMediaTypeError(requestBody(request).contentType);
}
