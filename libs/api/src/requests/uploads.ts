import { Busboy } from '@fastify/busboy';
import { strFromU8, unzipSync } from 'fflate';
import { BodyTooLargeError, InvalidRequestError, UnsupportedMediaTypeError } from '../answers/api-errors.js';
import { MAX_BODY_BYTES } from './bind.js';
import { rawRequest, type HttpRequest } from './http-request.js';
import { requestBody } from './request-body.js';

export interface UploadedText {
  readonly name: string;
  readonly text: string;
}

interface UploadedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

const MAX_FILES = 1000;
/** What all entries of an archive may have together: a small archive can claim to hold anything. */
const MAX_UNPACKED_BYTES = 4 * MAX_BODY_BYTES;

/**
 * The JSON files of a form, those inside zip files too.
 * @throws UnsupportedMediaTypeError, BodyTooLargeError, InvalidRequestError for a broken form or archive
 */
export async function readUploads(request: HttpRequest, field = 'files'): Promise<UploadedText[]> {
  const files = await readFiles(request, field);
  return files.flatMap((file) =>
    isZip(file.bytes) ? unpack(file) : [{ name: file.name, text: file.bytes.toString('utf8') }],
  );
}

async function readFiles(request: HttpRequest, field: string): Promise<UploadedFile[]> {
  const { contentType } = requestBody(request);
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) throw new UnsupportedMediaTypeError(contentType);
  const files: UploadedFile[] = [];
  let size = 0;
  await new Promise<void>((resolve, reject) => {
    const form = new Busboy({ headers: { 'content-type': contentType! }, limits: { files: MAX_FILES } });
    const raw = rawRequest(request);
    const fail = (error: unknown) => {
      raw.unpipe(form);
      raw.resume();
      reject(error as Error);
    };
    form.on('file', (name, stream, filename) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BODY_BYTES) fail(new BodyTooLargeError(MAX_BODY_BYTES));
        else chunks.push(chunk);
      });
      stream.on('end', () => {
        if (name.toLowerCase() === field) files.push({ name: filename, bytes: Buffer.concat(chunks) });
      });
    });
    form.on('finish', resolve);
    form.on('error', (error) =>
      fail(new InvalidRequestError('The form is broken: it ends before its last part does.', { cause: error })),
    );
    raw.pipe(form);
  });
  return files;
}

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

function unpack({ name, bytes }: UploadedFile): UploadedText[] {
  let size = 0;
  try {
    const entries = unzipSync(bytes, {
      filter: (entry) => {
        if (!/\.json$/i.test(entry.name)) return false;
        size += entry.originalSize;
        if (size > MAX_UNPACKED_BYTES) throw new BodyTooLargeError(MAX_UNPACKED_BYTES);
        return true;
      },
    });
    return Object.entries(entries).map(([entry, content]) => ({ name: entry, text: strFromU8(content) }));
  } catch (error) {
    if (error instanceof BodyTooLargeError) throw error;
    throw new InvalidRequestError(`"${name}" is no archive that can be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
