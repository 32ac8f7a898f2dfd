import type { Readable } from 'node:stream';
import { Busboy, type BusboyConfig } from '@fastify/busboy';
import { ByteBlocks, formFeed } from '@waymark/runtime/adapter';
import { InvalidRequestError, UnsupportedMediaTypeError } from '../answers/api-errors.js';
import { bodyClaim } from './body-claim.js';
import { BodyKind, bodyLimit } from './body-limits.js';
import { rawRequest, type HttpRequest } from './http-request.js';
import { requestBody } from './request-body.js';
import { isZip, unpack, type UploadedText } from './unpack.js';
import { tooManyBytes, tooManyFiles, UploadBudget } from './upload-budget.js';

interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Fields and files of a form beyond those that are read: parsing costs time even where nothing is kept. */
const OTHER_PARTS = 100;
/** Heads of parts and small fields: what a form may have beside its files. */
const BESIDE_FILES = 1_000_000;

/**
 * The JSON files of a form, those inside zip files too.
 * @throws UnsupportedMediaTypeError, BodyTooLargeError, InvalidRequestError for a broken form or archive, or too many files
 */
export async function readUploads(request: HttpRequest, field = 'files'): Promise<UploadedText[]> {
  const { bytes, files: maxFiles } = bodyLimit(request, BodyKind.Import);
  const files = await readFiles(request, field, new UploadBudget(bytes, maxFiles!), bytes, maxFiles!);
  // Archives have a budget of their own: their packed bytes are gone through, not kept.
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

function readFiles(
  request: HttpRequest,
  field: string,
  budget: UploadBudget,
  maxBytes: number,
  maxFiles: number,
): Promise<UploadedFile[]> {
  const { contentType } = requestBody(request);
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) throw new UnsupportedMediaTypeError(contentType);
  return new Promise((resolve, reject) => {
    const files: UploadedFile[] = [];
    const claim = bodyClaim(request);
    let fileBytes = 0;
    const raw = rawRequest(request);
    const fail = (error: unknown): void => {
      feed.destroy();
      // The client reads the answer when all of its body is gone.
      raw.unpipe(feed);
      raw.resume();
      reject(error as Error);
    };
    const isBroken = (cause?: unknown): void =>
      fail(new InvalidRequestError('The form is broken: it ends before its last part does.', { cause }));
    const limits = { files: maxFiles, parts: maxFiles + OTHER_PARTS };
    const form = parserOf(contentType!, limits);
    form.on('file', (name, stream: Readable, filename) => {
      const blocks = new ByteBlocks();
      // A form that breaks off inside of a file is an error of that file, which ends the process when no one hears it.
      stream.on('error', isBroken);
      stream.on('data', (chunk: Buffer) => {
        budget.addBytes(chunk.length);
        if (budget.isSpent) return fail(budget.error());
        fileBytes += chunk.length;
        try {
          claim.hold(fileBytes);
          blocks.append(chunk);
        } catch (error) {
          fail(error);
        }
      });
      stream.on('end', () => {
        if (name.toLowerCase() === field) files.push({ name: filename, bytes: blocks.take() });
      });
    });
    form.on('filesLimit', () => fail(tooManyFiles(maxFiles)));
    form.on('partsLimit', () => fail(new InvalidRequestError('The form has too many parts. Send the files only.')));
    form.on('finish', () => resolve(files));
    form.on('error', isBroken);
    const feed = formFeed(form, isBroken);
    raw.on('error', isBroken);
    // A client that goes away sends no end.
    raw.on('close', () => {
      if (!raw.readableEnded) isBroken();
    });
    // Fields and what lies between parts are no files: a form of them would be read without an end.
    let left = maxBytes + BESIDE_FILES;
    raw.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0 && !feed.destroyed) fail(tooManyBytes(maxBytes));
    });
    raw.pipe(feed);
  });
}

/** @throws InvalidRequestError for a type without a boundary */
function parserOf(contentType: string, limits: BusboyConfig['limits']): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch (cause) {
    const message = 'The content type of the form names no boundary. Leave it to the client that writes the form.';
    throw new InvalidRequestError(message, { cause });
  }
}
