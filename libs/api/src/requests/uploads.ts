import type { Readable, Writable } from 'node:stream';
import { Busboy, type BusboyConfig } from '@fastify/busboy';
import { ByteBlocks, formFeed, guarded } from '@waymark/runtime/adapter';
import { InvalidRequestError, UnsupportedMediaTypeError } from '../answers/api-errors.js';
import { bodyClaim } from './body-claim.js';
import { BodyKind, type BodyLimit, bodyLimit } from './body-limits.js';
import type { HttpRequest } from './http-request.js';
import { readInTime, requestBody } from './request-body.js';
import { isZip, unpack, type UploadedText } from './unpack.js';
import { tooManyBytes, tooManyFiles, UploadBudget } from './upload-budget.js';

interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Fields and files of a form beyond those that are read: parsing costs time even where nothing is kept. */
const OTHER_PARTS = 100;
/** Bytes of a form besides its files: headers of parts, and small fields. */
const BESIDE_FILES = 1_000_000;
/** Bytes that are passed to the parser at once. */
const PASSED_BYTES = 65_536;

/**
 * The JSON files of a form, those inside zip files too: all of them, whatever the names of their fields, as in the reference.
 * @throws UnsupportedMediaTypeError, BodyCodingError, BodyTooLargeError, BodyTimeoutError, BodyMemoryError, and InvalidRequestError for a broken form
 * or archive, or too many files
 */
export async function readUploads(request: HttpRequest): Promise<UploadedText[]> {
  const limit = bodyLimit(request, BodyKind.Import);
  const { bytes, files: maxFiles } = limit;
  const files = await readFiles(request, limit);
  // Unpacked files have a budget of their own: the packed bytes are read and discarded.
  const unpacked = new UploadBudget(bytes, maxFiles!);
  const texts: UploadedText[] = [];
  for (const { name, bytes: content } of files) {
    if (isZip(content)) {
      texts.push(...(await unpack(name, content, unpacked)));
      bodyClaim(request).hold(texts.reduce((sum, { text }) => sum + text.length, 0));
    } else {
      unpacked.addBytes(content.length);
      unpacked.addFile();
      texts.push({ name, text: content.toString('utf8') });
    }
  }
  return texts;
}

async function readFiles(request: HttpRequest, limit: BodyLimit): Promise<UploadedFile[]> {
  const { contentType } = requestBody(request);
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? ''))
    throw new UnsupportedMediaTypeError(
      contentType,
      'Send the files as a form ("Content-Type: multipart/form-data"), each in a field "files".',
    );
  const { feed, form } = uploadParser(request, contentType!, limit);
  // Awaited below; it may reject before, which must not count as unhandled.
  form.catch(() => undefined);
  // Fields and text between parts count towards no limit of files, so the form as a whole has one.
  let left = limit.bytes + BESIDE_FILES;
  /** Collected before it is passed to the parser: chunks may be as short as a byte, and each costs some work. */
  const held = new ByteBlocks();
  const take = (chunk: Buffer): boolean | Promise<boolean> => {
    left -= chunk.length;
    if (left < 0) throw tooManyBytes(limit.bytes);
    held.append(chunk);
    if (held.length < PASSED_BYTES) return true;
    // The parser has failed: `form` rejects with the reason.
    return pass(feed, held.take()).then((isTaken) => isTaken || form.then(() => false));
  };
  try {
    await readInTime(request, limit, take);
    await pass(feed, held.take());
    feed.end();
    return await form;
  } finally {
    feed.destroy();
  }
}

/** Resolves with false when the parser has failed; its form rejects with the reason. */
const pass = (feed: Writable, bytes: Buffer): Promise<boolean> =>
  new Promise((resolve) => {
    if (feed.destroyed) return resolve(false);
    const close = (): void => resolve(false);
    feed.once('close', close);
    feed.write(bytes, () => {
      feed.off('close', close);
      resolve(!feed.destroyed);
    });
  });

function uploadParser(
  request: HttpRequest,
  contentType: string,
  { bytes: maxBytes, files: maxFiles = 0 }: BodyLimit,
): { readonly feed: Writable; readonly form: Promise<UploadedFile[]> } {
  const budget = new UploadBudget(maxBytes, maxFiles);
  const claim = bodyClaim(request);
  const files: UploadedFile[] = [];
  let fileBytes = 0;
  const parser = parserOf(contentType, { files: maxFiles, parts: maxFiles + OTHER_PARTS });
  let fail: (error: unknown) => void = () => undefined;
  const isBroken = (cause?: unknown): void =>
    fail(new InvalidRequestError('The form is incomplete: it ends inside its last part.', { cause }));
  const isNameless = (): void =>
    fail(new InvalidRequestError('A part of the form has no name. Give each one the name of its field.'));
  const feed = formFeed(parser, isBroken, (cause) =>
    fail(new InvalidRequestError('The form is malformed. Send it as multipart/form-data.', { cause })),
  );
  const form = new Promise<UploadedFile[]>((resolve, reject) => {
    fail = (error) => {
      feed.destroy();
      reject(error as Error);
    };
    const takeFile = (name: string | undefined, stream: Readable, filename: string | undefined): void => {
      const blocks = new ByteBlocks();
      // A form that ends inside a file is an error event of that file, which would end the process without a listener.
      stream.on('error', isBroken);
      if (name === undefined) {
        stream.resume();
        return isNameless();
      }
      const takeChunk = (chunk: Buffer): void => {
        budget.addBytes(chunk.length);
        if (budget.isSpent) return fail(budget.error());
        fileBytes += chunk.length;
        claim.hold(fileBytes);
        blocks.append(chunk);
      };
      stream.on('data', guarded(takeChunk, fail));
      stream.on('end', () => files.push({ name: filename ?? name, bytes: blocks.take() }));
    };
    parser.on('file', guarded(takeFile, fail));
    parser.on('field', (name: string | undefined) => {
      if (name === undefined) isNameless();
    });
    parser.on('filesLimit', () => fail(tooManyFiles(maxFiles)));
    parser.on('partsLimit', () => fail(new InvalidRequestError('The form has too many parts. Send the files only.')));
    parser.on('finish', () => resolve(files));
    parser.on('error', isBroken);
  });
  return { feed, form };
}

/** @throws InvalidRequestError for a type without a boundary */
function parserOf(contentType: string, limits: BusboyConfig['limits']): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (cause) {
    const message = 'The content type of the form lacks its boundary. Let the HTTP client set this header.';
    throw new InvalidRequestError(message, { cause });
  }
}
