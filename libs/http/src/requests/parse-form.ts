import type { Writable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { formFeed } from '@waymark/runtime';
import { type HttpFile, httpFile } from './http-file.js';
import { addText, parseUrlEncoded, type TextMap } from './multi-map.js';
import { ContentSyntaxError, decodeText } from './parse-content.js';

export interface Form {
  readonly fields: TextMap;
  readonly files: readonly HttpFile[];
}

/** Fields and files of one form; no person fills in more. */
const MAX_PARTS = 10_000;
const MAX_FILES = 1000;

export const isForm = (contentType: string | undefined): contentType is string =>
  contentType !== undefined &&
  /^(multipart\/form-data|application\/x-www-form-urlencoded)\s*(;|$)/i.test(contentType.trim());

/** @throws ContentSyntaxError for a malformed multipart body */
export function parseForm(bytes: Buffer, contentType: string): Form | Promise<Form> {
  return /^multipart/i.test(contentType.trim())
    ? parseMultipart(bytes, contentType)
    : { fields: parseUrlEncoded(requireFewParts(decodeText(bytes, contentType))), files: [] };
}

/** @throws ContentSyntaxError for more fields than `MAX_PARTS` */
function requireFewParts(text: string): string {
  let parts = 1;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1))
    if (++parts > MAX_PARTS)
      throw new ContentSyntaxError({ code: 'WM5006', message: `The form has more than ${MAX_PARTS} fields.` });
  return text;
}

function parseMultipart(bytes: Buffer, contentType: string): Promise<Form> {
  return new Promise((resolve, reject) => {
    let feed: Writable | undefined;
    const fail = (error: unknown): void => {
      feed?.destroy();
      reject(new ContentSyntaxError({ message: `The multipart body is malformed: ${(error as Error).message}.` }));
    };
    try {
      const fields: TextMap = {};
      const files: HttpFile[] = [];
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        // The body as a whole is within its limit already.
        limits: { fieldSize: bytes.length, fieldNameSize: 1000, parts: MAX_PARTS, files: MAX_FILES },
        isPartAFile: (_field, _type, filename) => filename !== undefined,
      });
      parser.on('field', (name, value) => addText(fields, name, value));
      parser.on('file', (name, stream, filename, _encoding, contentType) => {
        const chunks: Buffer[] = [];
        stream.on('error', fail);
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const content = new Uint8Array(Buffer.concat(chunks));
          const headers = { 'content-disposition': dispositionOf(name, filename), 'content-type': contentType };
          files.push(httpFile({ name, filename, contentType, length: content.length, headers, bytes: content }));
        });
      });
      parser.on('partsLimit', () => fail(new Error(`it has more than ${MAX_PARTS} parts`)));
      parser.on('filesLimit', () => fail(new Error(`it has more than ${MAX_FILES} files`)));
      parser.on('error', fail);
      parser.on('finish', () => resolve({ fields, files }));
      feed = formFeed(parser, () => fail(new Error('a part of it does not end')));
      feed.end(bytes);
    } catch (error) {
      fail(error);
    }
  });
}

/** As the part said it; the parser keeps only what it means. */
const dispositionOf = (name: string, filename: string): string =>
  `form-data; name="${quoted(name)}"; filename="${quoted(filename)}"`;

const quoted = (text: string): string => text.replace(/["\\]/g, '\\$&');
