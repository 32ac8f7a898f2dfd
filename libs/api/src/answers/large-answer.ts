import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StreamableFile } from '@nestjs/common';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import { noteAnswerText } from './answer-claims.js';

const compress = promisify(gzip);

/** Below this the headers and the work cost more than is saved. */
const LARGE_BYTES = 2 * 1024;
/** The fastest: descriptors shrink to a tenth with it, and two thirds of the time go into the next twentieth. */
const LEVEL = 1;

/**
 * A large answer, compressed where the client takes that. What is read has a tag, so that a client that asks again for what
 * did not change is answered 304 without a body.
 * @param type content type to send @returns undefined: it is not large, and goes out as it is
 */
export async function largeAnswer(
  json: unknown,
  type: string,
  request: HttpRequest & { readonly method?: string },
  reply: HttpReply & { readonly statusCode?: number },
): Promise<StreamableFile | '' | undefined> {
  const text = JSON.stringify(json) ?? '';
  noteAnswerText(request, text);
  if (text.length < LARGE_BYTES) return undefined;
  reply.header('Vary', 'Accept-Encoding');
  if (request.method === 'GET' && reply.statusCode === 200) {
    const tag = `W/"${createHash('sha1').update(text).digest('base64url')}"`;
    reply.header('ETag', tag);
    // Answers differ by credentials and change at any time: kept by one client, and asked about each time.
    reply.header('Cache-Control', 'private, no-cache');
    if (isKnown(request.headers['if-none-match'], tag)) {
      reply.status(304);
      return '';
    }
  }
  const bytes = Buffer.from(text, 'utf8');
  if (!acceptsGzip(request.headers['accept-encoding']))
    return new StreamableFile(bytes, { type, length: bytes.length });
  const small = await compress(bytes, { level: LEVEL });
  reply.header('Content-Encoding', 'gzip');
  return new StreamableFile(small, { type, length: small.length });
}

const isKnown = (given: string | undefined, tag: string): boolean =>
  given !== undefined && (given.trim() === '*' || given.split(',').some((one) => strong(one) === strong(tag)));

const strong = (tag: string): string => tag.trim().replace(/^W\//, '');

/** `gzip`, or everything, and not forbidden by `q=0`. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  const codings = new Map<string, boolean>();
  for (const part of String(header ?? '').split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    codings.set(coding, !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)));
  }
  return codings.get('gzip') ?? codings.get('*') ?? false;
}
