import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { StreamableFile } from '@nestjs/common';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import { noteAnswerText } from './answer-claims.js';

const compress = promisify(gzip);

/** Below this the headers and the work cost more than is saved. */
const LARGE_BYTES = 2 * 1024;
/** The fastest level shrinks descriptors to a tenth; higher ones take three times as long for another twentieth. */
const LEVEL = 1;

/**
 * A large answer, compressed if the client accepts that. Answers to GET have an entity tag: a client that has the current one is
 * answered 304 without a body.
 * @param type content type to send
 * @returns undefined for a small answer, which is sent as it is
 */
export async function largeAnswer(
  json: unknown,
  type: string,
  request: HttpRequest & { readonly method?: string },
  reply: HttpReply & { readonly statusCode?: number },
): Promise<StreamableFile | '' | undefined> {
  const text = JSON.stringify(json) ?? '';
  noteAnswerText(request, text);
  const isRead = request.method === 'GET' && reply.statusCode === 200;
  const named = reply.getHeader('etag');
  if (text.length < LARGE_BYTES) {
    // Express compares the tag of each answer with what the client has.
    if (isRead && named !== undefined) reply.header('ETag', tagOf(text, named));
    return undefined;
  }
  reply.header('Vary', 'Accept-Encoding');
  if (isRead) {
    const tag = tagOf(text, named);
    reply.header('ETag', tag);
    // Answers depend on credentials and may change at any time: caches are private, and have to revalidate.
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

/** Of the text, behind what a route has named: the same revision may be answered differently after an upgrade. */
function tagOf(text: string, named: unknown): string {
  const prefix = typeof named === 'string' ? `${named.replaceAll(/^W\/|"/g, '')}.` : '';
  return `W/"${prefix}${createHash('sha1').update(text).digest('base64url')}"`;
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
