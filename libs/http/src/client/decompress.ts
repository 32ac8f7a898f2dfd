import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { AnyInflate } from './any-inflate.js';

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', () => new AnyInflate()],
  ['br', createBrotliDecompress],
]);
/** Files that are compressed themselves: servers that go by the ending of a name call them encoded as well, as Firefox knows. */
const ARCHIVE = /^application\/(?:x-)?(?:gzip|tgz)\b/i;
const COMPRESSED_NAME = /\.(?:t?gz|svgz|br|zst|z)$/i;
const COMPRESSED_DISPOSITION = /filename[^;]*\.(?:t?gz|svgz|br|zst|z)"?\s*(?:;|$)/i;
/** One after the other; no server needs more. */
const MOST_CODINGS = 2;

/** The content of an answer, as it was before it was compressed. */
export interface PlainContent {
  readonly stream: Readable;
  /** True where headers on the compressed content do not describe this one. */
  readonly isDecoded: boolean;
}

/**
 * Undoes `Content-Encoding`: servers compress where a request has the `Accept-Encoding` of another one, and some always. Content in a
 * coding that is not known stays as it is, and says so in its headers; so does a range, which is one of the compressed bytes.
 * @param method of the request: an answer to HEAD has the headers of content alone
 * @param ended called in place of an end of the stream when the answer has no content: decoders fail on nothing
 * @param broken called for content that is not what its coding says
 * @param fileUrl where the answer is a file, its URL: one whose name says that it is compressed stays so
 */
export function decompressed(
  incoming: IncomingMessage,
  method: string,
  ended: () => void,
  broken: (cause: Error) => void,
  fileUrl?: URL,
): PlainContent {
  const codings = (incoming.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const isWhole = method !== 'HEAD' && ![204, 206, 304].includes(incoming.statusCode!);
  const isArchive = ARCHIVE.test(incoming.headers['content-type'] ?? '') || isCompressedFile(incoming, fileUrl);
  const isKnown = codings.length <= MOST_CODINGS && codings.every((coding) => DECODERS.has(coding));
  if (codings.length === 0 || !isWhole || isArchive || !isKnown) return { stream: incoming, isDecoded: false };
  let isThere = false;
  incoming.once('data', () => (isThere = true));
  const failed = (cause: Error): void => (!isThere && incoming.complete ? ended() : broken(cause));
  // What was applied last is undone first.
  const decoders = codings.reverse().map((coding) => DECODERS.get(coding)!().once('error', failed));
  return { stream: pipeline([incoming, ...decoders], () => undefined) as unknown as Readable, isDecoded: true };
}

function isCompressedFile({ headers }: IncomingMessage, url: URL | undefined): boolean {
  if (!url) return false;
  const disposition = headers['content-disposition'] ?? '';
  return /filename/i.test(disposition) ? COMPRESSED_DISPOSITION.test(disposition) : COMPRESSED_NAME.test(url.pathname);
}

/**
 * Raw headers without those on content as it was compressed. An entity tag becomes a weak one: it names the compressed bytes.
 * @param raw name, value, name, value …
 */
export function withoutCoding(raw: readonly string[]): string[] {
  return raw.flatMap((name, i) => {
    if (i % 2 === 1 || /^content-(encoding|length|md5)$/i.test(name)) return [];
    const value = raw[i + 1]!;
    return [name, name.toLowerCase() === 'etag' && value.startsWith('"') ? `W/${value}` : value];
  });
}
