import { type Readable, Writable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ByteBlocks, formFeed, guarded } from '@waymark/runtime/adapter';
import { decodeSlices } from './decode-slices.js';
import { type HttpFile, httpFile } from './http-file.js';
import { addText, parseUrlEncoded, parseUrlEncodedInTurns, type TextMap } from './multi-map.js';
import { ContentSyntaxError, ControlCharacters, decoderOf, decodeText } from './parse-content.js';
import { plainFilename } from './plain-filename.js';

export interface Form {
  readonly fields: TextMap;
  readonly files: readonly HttpFile[];
}

/** Fields and files of one form; no person fills in more. */
const MAX_PARTS = 10_000;
const MAX_FILES = 1000;
/** Of one field of a multipart body: the parser decodes it at once, which takes some character sets 100 ms. */
const MAX_FIELD_BYTES = 1_000_000;

/** RFC 7578, 4.2: each part must have one. The parser passes parts on that have none, as nothing or as `undefined`. */
const NAMELESS = 'a part of it has no name';

/** A form that may hold files. */
export const isMultipart = (contentType: string | undefined): contentType is string =>
  contentType !== undefined && /^multipart\/form-data\s*(;|$)/i.test(contentType.trim());

export const isForm = (contentType: string | undefined): contentType is string =>
  contentType !== undefined &&
  /^(multipart\/form-data|application\/x-www-form-urlencoded)\s*(;|$)/i.test(contentType.trim());

/** @throws ContentSyntaxError for a malformed multipart body */
export function parseForm(bytes: Buffer, contentType: string): Form | Promise<Form> {
  return /^multipart/i.test(contentType.trim()) ? parseMultipart(bytes, contentType) : parseEncoded(bytes, contentType);
}

/** Below, the standard's parser takes less than a turn. */
const LARGE_BYTES = 65_536;

function parseEncoded(bytes: Buffer, contentType: string): Form | Promise<Form> {
  if (bytes.length < LARGE_BYTES)
    return { fields: parseUrlEncoded(decodeText(requireFewParts(bytes), contentType)), files: [] };
  return parseLongEncoded(bytes, contentType).then((fields) => ({ fields, files: [] }));
}

async function parseLongEncoded(bytes: Buffer, contentType: string): Promise<TextMap> {
  const decoder = decoderOf(contentType);
  const utf8 = decoder.encoding === 'utf-8' ? withoutMark(bytes) : await recode(bytes, decoder);
  return parseUrlEncodedInTurns(requireFewParts(utf8));
}

/** As UTF-8. */
async function recode(bytes: Buffer, decoder: TextDecoder): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of decodeSlices(bytes, decoder)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Decoders drop the byte order mark. */
const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

const AMPERSAND = 38;

/** @throws ContentSyntaxError for more fields than `MAX_PARTS` */
function requireFewParts(bytes: Buffer): Buffer {
  let parts = 1;
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1))
    if (++parts > MAX_PARTS)
      throw new ContentSyntaxError({
        code: 'WM5006',
        message: `The form has more than ${MAX_PARTS} fields. Send fewer.`,
      });
  return bytes;
}

function parseMultipart(bytes: Buffer, contentType: string): Promise<Form> {
  // The body as a whole is within its limit already.
  const { feed, form } = multipartParser(contentType, bytes.length, keepInMemory);
  feed.end(bytes);
  return form;
}

/** Facts on a file that the head of its part tells, and what is known at its end. */
export type FilePart = Omit<HttpFile, 'bytes' | 'length'>;

/** Takes the content of one file. */
export interface FileSink {
  write(chunk: Buffer): void;
  end(): HttpFile;
}

function keepInMemory(part: FilePart): FileSink {
  const blocks = new ByteBlocks();
  return {
    write: (chunk) => blocks.append(chunk),
    end: () => {
      const bytes = new Uint8Array(blocks.take());
      return httpFile({ ...part, length: bytes.length, bytes });
    },
  };
}

/**
 * A parser of a multipart body. Its form is rejected with a ContentSyntaxError for a malformed one.
 * @param fieldBytes how much the fields that are no files may hold in all
 */
export function multipartParser(
  contentType: string,
  fieldBytes: number,
  openFile: (part: FilePart) => FileSink,
): { readonly feed: Writable; readonly form: Promise<Form> } {
  let feed: Writable | undefined;
  const form = new Promise<Form>((resolve, reject) => {
    const refuse = (message: string): void => {
      feed?.destroy();
      reject(new ContentSyntaxError({ code: 'WM5006', message }));
    };
    const fail = (error: unknown): void => refuse(`The multipart body is malformed: ${(error as Error).message}.`);
    /** What is not the sender's fault: the error as it is. */
    const fault = (error: unknown): void => {
      feed?.destroy();
      reject(error as Error);
    };
    try {
      const fields: TextMap = {};
      const files: HttpFile[] = [];
      let textBytes = 0;
      const controls = new ControlCharacters();
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          fieldSize: Math.min(fieldBytes, MAX_FIELD_BYTES),
          fieldNameSize: 1000,
          parts: MAX_PARTS,
          files: MAX_FILES,
        },
        // Names are made plain below. By then, one that was empty could not be told from `..`.
        preservePath: true,
        // Browsers send an input for a file in which none was chosen as a file without a name.
        isPartAFile: (_field, _type, filename) => filename !== undefined && filename !== '',
      });
      const field = (name: string | undefined, value: string, _isNameCut: boolean, isCut: boolean): void => {
        if (name === undefined) return fail(new Error(NAMELESS));
        textBytes += value.length;
        if (isCut && fieldBytes > MAX_FIELD_BYTES)
          return refuse(`A field of the form holds more than ${MAX_FIELD_BYTES} bytes. Send long texts as files.`);
        if (isCut || textBytes > fieldBytes)
          return refuse(`The fields of the form hold more than ${fieldBytes} bytes. Send long texts as files.`);
        try {
          controls.add(value);
        } catch (error) {
          return fault(error);
        }
        addText(fields, name, value);
      };
      const file = (
        name: string | undefined,
        stream: Readable,
        given: string | undefined,
        _encoding: string,
        contentType: string,
      ): void => {
        stream.on('error', fail);
        if (name === undefined) {
          stream.resume();
          return fail(new Error(NAMELESS));
        }
        const filename = plainFilename(given ?? '') ?? '';
        const headers = { 'content-disposition': dispositionOf(name, filename), 'content-type': contentType };
        const sink = openFile({ name, filename, contentType, headers });
        const take = (chunk: Buffer): void => sink.write(chunk);
        const end = (): unknown => files.push(sink.end());
        stream.on('data', guarded(take, fault)).on('end', guarded(end, fault));
      };
      parser.on('field', guarded(field, fault));
      parser.on('file', guarded(file, fault));
      parser.on('partsLimit', () => fail(new Error(`it has more than ${MAX_PARTS} parts`)));
      parser.on('filesLimit', () => fail(new Error(`it has more than ${MAX_FILES} files`)));
      parser.on('error', fail);
      parser.on('finish', () => resolve({ fields, files }));
      feed = formFeed(parser, () => fail(new Error('a part of it is incomplete')), fail);
    } catch (error) {
      fail(error);
    }
  });
  return { feed: feed ?? nowhere(), form };
}

/** For a parser that could not be made. */
const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/** As the part said it; the parser keeps only what it means. */
const dispositionOf = (name: string, filename: string): string =>
  `form-data; name="${quoted(name)}"; filename="${quoted(filename)}"`;

const quoted = (text: string): string => text.replace(/["\\]/g, '\\$&');
