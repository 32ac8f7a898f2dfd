import { setImmediate } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import type { HttpFile } from './http-file.js';
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

/** Of a slice: the shortest parts, some 40 bytes each, take 20 µs and more. */
const SLICE_BYTES = 65_536;

/** The parser says nothing at all of the end of a long part without a head: after so many turns there is nothing more to come. */
const TURNS_TO_END = 20;

/** A body of many short parts takes a second: other requests get their turn between slices. */
async function feed(parser: Writable, bytes: Buffer, isOver: () => boolean): Promise<void> {
  for (let at = 0; at < bytes.length && !isOver(); at += SLICE_BYTES) {
    parser.write(bytes.subarray(at, at + SLICE_BYTES));
    if (bytes.length > SLICE_BYTES) await setImmediate();
  }
  if (!isOver()) parser.end();
  // What has been read of files is on its way for a few turns at most.
  for (let turn = 0; turn < TURNS_TO_END && !isOver(); turn++) await setImmediate();
}

function parseMultipart(bytes: Buffer, contentType: string): Promise<Form> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const fail = (error: unknown): void => {
      isOver = true;
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
      parser.on('file', (name, stream, filename, _encoding, mimeType) => {
        const chunks: Buffer[] = [];
        stream.on('error', fail);
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const content = new Uint8Array(Buffer.concat(chunks));
          files.push({ name, filename, contentType: mimeType, length: content.length, bytes: content });
        });
      });
      parser.on('partsLimit', () => fail(new Error(`it has more than ${MAX_PARTS} parts`)));
      parser.on('filesLimit', () => fail(new Error(`it has more than ${MAX_FILES} files`)));
      parser.on('error', fail);
      parser.on('finish', () => {
        isOver = true;
        resolve({ fields, files });
      });
      void feed(parser, bytes, () => isOver).then(() => {
        if (!isOver) fail(new Error('a part of it does not end'));
      });
    } catch (error) {
      fail(error);
    }
  });
}
