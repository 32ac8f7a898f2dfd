import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isWaymarkError } from '@waymark/core';
import { type JsonFault, type JsonSyntaxError, type JsonTooLargeError, parseJsonText } from '@waymark/core/adapter';
import { parse } from 'content-disposition';
import { type HttpFile, httpFile } from './http-file.js';

/** Content that is not what its type says. */
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
 * anything else as a file. @throws ContentSyntaxError for malformed JSON
 */
export function parseContent(
  bytes: Uint8Array,
  headers: ContentHeaders,
  target: 'data' | 'text',
  limit?: ValueLimit,
): unknown {
  const type = headers.contentType?.toLowerCase() ?? '';
  if (type.includes('json')) {
    const text = decodeText(bytes, type);
    return target === 'text' ? text : parseJson(text, limit);
  }
  if (type.includes('xml') || type.includes('text/plain') || type.includes('text/html')) return decodeText(bytes, type);
  return toFile(bytes, headers);
}

/** Of answers to outgoing requests, and what the host's own routes read: work on values grows with their number. */
const ANSWERS: ValueLimit = { maxValues: 250_000, hint: '' };

/**
 * Different names of members, and members of large objects: each costs the parser, and all who copy the value, many times what
 * other values do.
 */
const MAX_NAMES = 30_000;

/** How many values JSON may hold, with a sentence on how to raise the limit. */
export interface ValueLimit {
  readonly maxValues: number;
  readonly hint: string;
}

/** Parses JSON; a fault is reported with its place. @throws ContentSyntaxError, also for what is too deep or has too many values */
export function parseJson(text: string, { maxValues, hint }: ValueLimit = ANSWERS): unknown {
  try {
    return parseJsonText(text, { maxValues, maxNames: MAX_NAMES });
  } catch (error) {
    if (isWaymarkError(error, 'WM1104')) throw syntaxError(text, (error as JsonSyntaxError).fault);
    if (isWaymarkError(error, 'WM1105')) {
      const isAboutValues = (error as JsonTooLargeError).limit === 'values';
      throw new ContentSyntaxError({ code: 'WM5006', message: error.message + (isAboutValues ? hint : '') });
    }
    throw error;
  }
}

/** Longest path that is reported: text may be nested as deep as it likes. */
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
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function toFile(bytes: Uint8Array, { contentType, contentDisposition, eTag }: ContentHeaders): HttpFile {
  return httpFile({
    filename: filenameOf(contentDisposition) ?? 'file.dat',
    contentType: contentType || 'application/octet-stream',
    length: bytes.length,
    eTag: eTag ?? entityTag(bytes),
    bytes: new Uint8Array(bytes),
  });
}

/** File name of a Content-Disposition, without any folders. */
export function filenameOf(contentDisposition: string | undefined): string | undefined {
  if (!contentDisposition) return undefined;
  const name = parse(contentDisposition).parameters.filename;
  return name ? basename(name.replaceAll('\\', '/')) || undefined : undefined;
}

/** Strong entity tag of some content. */
export const entityTag = (bytes: Uint8Array): string => `"${createHash('sha256').update(bytes).digest('base64url')}"`;
