import type { IncomingMessage } from 'node:http';
import { ByteBlocks } from '@waymark/runtime';
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
 * Takes the body out of the adapter's hands: it sees a request without one. Otherwise it would answer malformed JSON,
 * unknown content types and large bodies itself, each adapter in its own way, and before the credentials are checked.
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
 * The body as the adapter parsed it, for an API below a global prefix that it was not told of, or as the application's own
 * middleware did: then there is nothing left to read.
 */
function parsedBody(request: HttpRequest): unknown {
  const raw: Held = rawRequest(request);
  return raw[HELD] && !raw.readableEnded ? undefined : (request as { body?: unknown }).body;
}

/** Reads the body as text. @throws BodyTooLargeError, BodyMemoryError */
export async function readText(request: HttpRequest, limit: BodyLimit): Promise<string> {
  const parsed = parsedBody(request);
  if (parsed !== undefined && parsed !== null) return typeof parsed === 'string' ? parsed : JSON.stringify(parsed);
  return (await readBytes(request, limit)).toString('utf8');
}

async function readBytes(request: HttpRequest, limit: BodyLimit): Promise<Buffer> {
  const { isPresent, contentLength = 0 } = requestBody(request);
  const source = rawRequest(request);
  // Its end has been told, and would not be told again.
  if (!isPresent || source.readableEnded) return Buffer.alloc(0);
  const tooLarge = () => new BodyTooLargeError(limit.bytes, raiseHint(limit.options?.bytes));
  const claim = bodyClaim(request);
  if (contentLength <= limit.bytes) claim.hold(contentLength);
  return new Promise((resolve, reject) => {
    const blocks = new ByteBlocks();
    let isRefused = false;
    const refuse = (error: Error): void => {
      isRefused = true;
      blocks.clear();
      reject(error);
    };
    source
      .on('data', (chunk: Buffer) => {
        // The stream is not destroyed: the client would see its connection end and no answer. The rest is thrown away.
        if (isRefused) return;
        const length = blocks.length + chunk.length;
        if (length > limit.bytes) return refuse(tooLarge());
        try {
          claim.hold(length);
          blocks.append(chunk);
        } catch (error) {
          refuse(error as Error);
        }
      })
      .on('end', () => resolve(blocks.take()))
      .on('error', reject)
      .on('close', () => reject(new InvalidRequestError('The request ended before its body did.')));
  });
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export const hasJsonType = (request: HttpRequest): boolean => JSON_TYPE.test(requestBody(request).contentType ?? '');

/** @throws UnsupportedMediaTypeError */
export function requireJsonType(request: HttpRequest): void {
  if (!hasJsonType(request)) throw new UnsupportedMediaTypeError(requestBody(request).contentType);
}
