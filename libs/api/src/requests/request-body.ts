import type { IncomingMessage } from 'node:http';
import { BodyTooLargeError, UnsupportedMediaTypeError } from '../answers/api-errors.js';
import { rawRequest, type HttpRequest } from './http-request.js';

/** Body of an API request, not yet read. */
export interface RequestBody {
  readonly contentType: string | undefined;
  /** False when the headers announce none. */
  readonly isPresent: boolean;
}

const HELD = Symbol('waymark.api.body');

type Held = IncomingMessage & { [HELD]?: RequestBody };

/**
 * Takes the body out of the adapter's hands: it sees a request without one. Otherwise it would answer malformed JSON,
 * unknown content types and large bodies itself, each adapter in its own way, and before the credentials are checked.
 */
export function holdBody(raw: IncomingMessage): void {
  const { headers } = raw;
  const length = headers['content-length'];
  (raw as Held)[HELD] = {
    contentType: headers['content-type'],
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

/** The body as the adapter parsed it, for an API below a global prefix that it was not told of. */
const parsedBody = (request: HttpRequest): unknown =>
  (rawRequest(request) as Held)[HELD] ? undefined : (request as { body?: unknown }).body;

/** Reads the body as text. @throws BodyTooLargeError */
export async function readText(request: HttpRequest, limitBytes: number): Promise<string> {
  const parsed = parsedBody(request);
  if (parsed !== undefined && parsed !== null) return typeof parsed === 'string' ? parsed : JSON.stringify(parsed);
  return (await readBytes(request, limitBytes)).toString('utf8');
}

async function readBytes(request: HttpRequest, limitBytes: number): Promise<Buffer> {
  if (!requestBody(request).isPresent) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of rawRequest(request) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limitBytes) throw new BodyTooLargeError(limitBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export const hasJsonType = (request: HttpRequest): boolean => JSON_TYPE.test(requestBody(request).contentType ?? '');

/** @throws UnsupportedMediaTypeError */
export function requireJsonType(request: HttpRequest): void {
  if (!hasJsonType(request)) throw new UnsupportedMediaTypeError(requestBody(request).contentType);
}
