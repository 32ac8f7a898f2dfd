import { setImmediate } from 'node:timers/promises';
import { isWaymarkError } from '@waymark/core';
import {
  type JsonFault,
  type JsonSyntaxError,
  type JsonTooLargeError,
  parseJsonText,
  parseJsonTextInTurns,
} from '@waymark/core/adapter';
import { parse } from 'content-disposition';
import { entityTag } from './hash-in-turns.js';
import { type HttpFile, httpFile } from './http-file.js';
import { plainFilename } from './plain-filename.js';

/** Thrown when content does not match its content type. */
export class ContentSyntaxError extends Error {
  /** Name of the class. */
  override readonly name = 'ContentSyntaxError';
  constructor(
    /** Body of the answer. */
    readonly body: Readonly<Record<string, unknown>> & { readonly message: string },
  ) {
    super(body.message);
  }
}

export interface ContentHeaders {
  readonly contentType: string | undefined;
  readonly contentDisposition?: string;
  readonly eTag?: string;
}

/**
 * Content as workflows receive it, by its type: JSON as data or, for a `text` target, as it is; XML and text as text;
 * anything else as a file. Of what is long, other requests get their turn in between.
 * @throws ContentSyntaxError for malformed JSON, and for a long text that is mostly control characters
 */
export async function parseContent(
  bytes: Uint8Array,
  headers: ContentHeaders,
  target: 'data' | 'text',
  limit?: ValueLimit,
): Promise<unknown> {
  const type = headers.contentType?.toLowerCase() ?? '';
  if (!isText(type)) return toFile(bytes, headers);
  const isData = type.includes('json') && target === 'data';
  const long = await decodeInTurns(bytes, type);
  if (long !== undefined) return isData ? parseLongJson(long, limit) : long;
  const text = decodeText(bytes, type);
  return isData ? parseJson(text, limit) : text;
}

const isText = (type: string): boolean =>
  type.includes('json') || type.includes('xml') || type.includes('text/plain') || type.includes('text/html');

/** Bytes from which on a text is decoded and counted in slices, and a body parsed in a turn of its own. */
export const LARGE_BYTES = 1_000_000;
/** Bytes of a slice. */
const SLICE_BYTES = 262_144;
/** Most control characters of a text: JSON escapes each with six characters, in the state, the journal and the answer. */
const MOST_CONTROLS = 1_000_000;

/**
 * Decodes the text of a long body slice by slice, so that other requests run in between: some encodings take 30 ms for a megabyte.
 * @returns undefined when the body is short, or not text
 * @throws ContentSyntaxError for one that is mostly control characters
 */
export async function decodeInTurns(bytes: Uint8Array, contentType = ''): Promise<string | undefined> {
  const type = contentType.toLowerCase();
  if (bytes.length < LARGE_BYTES || !isText(type)) return undefined;
  const decoder = decoderOf(type);
  const pieces: string[] = [];
  const controls = new ControlCharacters();
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const slice = bytes.subarray(at, at + SLICE_BYTES);
    const piece = decoder.decode(slice, { stream: true });
    controls.add(piece);
    pieces.push(piece);
    await setImmediate();
  }
  pieces.push(decoder.decode());
  return pieces.join('');
}

/** Counts the control characters, other than tabs and line ends, of what a request or an answer brings: of all its texts together. */
export class ControlCharacters {
  private count = 0;

  /** @throws ContentSyntaxError (`WM5081`) beyond a million of them in all */
  add(text: string): void {
    for (let i = 0; i < text.length; i++) if (isControl(text.charCodeAt(i))) this.count++;
    this.addCounted(0);
  }

  /** @throws ContentSyntaxError (`WM5081`) beyond a million of them in all */
  addCounted(count: number): void {
    this.count += count;
    if (this.count <= MOST_CONTROLS) return;
    throw new ContentSyntaxError({
      code: 'WM5081',
      message: `The text has more than ${MOST_CONTROLS} control characters. Send it as a file, or as application/octet-stream.`,
    });
  }
}

/** Of a character, or of a byte of UTF-8. */
export const isControl = (code: number): boolean => code < 32 && code !== 9 && code !== 10 && code !== 13;

/** Limit for bodies that the host's own routes read. */
const ROUTES: ValueLimit = { maxValues: 250_000, hint: '' };

/**
 * Most distinct member names, and members of large objects: each of them costs many times as much as another value, when it is
 * parsed and whenever it is copied.
 */
const MAX_NAMES = 30_000;

/** How many values JSON may hold, with a sentence on how to raise the limit. */
export interface ValueLimit {
  readonly maxValues: number;
  readonly hint: string;
  /** @default 30,000 */
  readonly maxNames?: number;
  /** What helps against too many names. @default nothing */
  readonly namesHint?: string;
}

/** Limit for answers to outgoing requests. Names count in proportion, so that one option is enough for answers that grow. */
export const answerLimit = (maxValues = 250_000): ValueLimit => {
  const hint =
    " Of an answer to an outgoing request, ask for less, raise the option 'http.maxResponseValues', or bind its content to a variable of type String.";
  return { maxValues, hint, maxNames: Math.max(MAX_NAMES, (maxValues * MAX_NAMES) / 250_000), namesHint: hint };
};

/** Parses JSON; a fault is reported with its place. @throws ContentSyntaxError, also for what is too deep or has too many values */
export function parseJson(text: string, limit: ValueLimit = ROUTES): unknown {
  try {
    return parseJsonText(text, limitsOf(limit));
  } catch (error) {
    throw contentFault(error, text, limit);
  }
}

async function parseLongJson(text: string, limit: ValueLimit = ROUTES): Promise<unknown> {
  try {
    return await parseJsonTextInTurns(text, limitsOf(limit), setImmediate);
  } catch (error) {
    throw contentFault(error, text, limit);
  }
}

const limitsOf = ({ maxValues, maxNames = MAX_NAMES }: ValueLimit) => ({ maxValues, maxNames });

function contentFault(error: unknown, text: string, { hint, namesHint = '' }: ValueLimit): unknown {
  if (isWaymarkError(error, 'WM1104')) return syntaxError(text, (error as JsonSyntaxError).fault);
  if (!isWaymarkError(error, 'WM1105')) return error;
  const hints = { values: hint, names: namesHint, depth: '' };
  return new ContentSyntaxError({ code: 'WM5006', message: error.message + hints[(error as JsonTooLargeError).limit] });
}

/** Longest path in an error message: values may be nested deeply. */
const LONGEST_PATH = 200;

function syntaxError(text: string, { reason, steps, index }: JsonFault): ContentSyntaxError {
  const before = text.slice(0, index);
  let lineNumber = 0;
  for (let at = before.indexOf('\n'); at >= 0; at = before.indexOf('\n', at + 1)) lineNumber++;
  const position = Buffer.byteLength(before.slice(before.lastIndexOf('\n') + 1));
  const full = `$${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
  const path = full.length > LONGEST_PATH ? `${full.slice(0, LONGEST_PATH)}…` : full;
  const message = `${reason} Path: ${path} | LineNumber: ${lineNumber} | BytePositionInLine: ${position}.`;
  return new ContentSyntaxError({ code: 'WM5006', message, path, lineNumber });
}

/** Decodes by the charset of the content type, UTF-8 by default; a byte order mark is dropped. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const decoder = decoderOf(contentType);
  if (decoder.encoding === 'utf-8') return decoder.decode(bytes);
  // As a stream, even at once: else several versions of Node read `windows-1252` as ISO 8859-1, without its quotes and its euro.
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}

export function decoderOf(contentType: string): TextDecoder {
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

async function toFile(bytes: Uint8Array, headers: ContentHeaders): Promise<HttpFile> {
  const { contentType, contentDisposition, eTag } = headers;
  return httpFile({
    filename: filenameOf(contentDisposition) ?? 'file.dat',
    contentType: contentType || 'application/octet-stream',
    length: bytes.length,
    eTag: eTag ?? (await entityTag(bytes)),
    bytes: ownBytes(bytes),
  });
}

/** Without a copy, unless they lie in a buffer with others. */
const ownBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.length === bytes.buffer.byteLength ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);

/** File name of a Content-Disposition, without any folders. */
export function filenameOf(contentDisposition: string | undefined): string | undefined {
  if (!contentDisposition) return undefined;
  const name = parse(contentDisposition).parameters.filename;
  return name === undefined ? undefined : plainFilename(name);
}
