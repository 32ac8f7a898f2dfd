import type { Readable, Writable } from 'node:stream';
import { type BodyClaim, type BodyDeadline, ByteBlocks, readChunks } from '@waymark/runtime/adapter';
import type { Extent, UploadFile } from '../uploads/upload-file.js';
import { type BodyDigest, BodyHash } from './body-hash.js';
import { uploadedFile } from './http-file.js';
import { type FilePart, type FileSink, type Form, multipartParser, parseForm } from './parse-form.js';

/** A multipart body and how it is read. */
export interface UploadRequest {
  readonly source: Readable;
  readonly contentType: string;
  /** In bytes, as are the next two. */
  readonly limit: number;
  /** A body of that length or less stays in memory. */
  readonly memoryBytes: number;
  /** Limit for all fields other than files. */
  readonly fieldBytes: number;
  readonly hasDigest: boolean;
  readonly deadline: BodyDeadline | undefined;
  readonly claim: BodyClaim | undefined;
  /** What is to stay in memory, as the request says. */
  readonly announced: number;
}

/** Bytes that are passed to the parser at once. */
const PASSED_BYTES = 65_536;

/** A form as it was read. */
export interface Upload {
  readonly form: Form;
  readonly size: number;
  /** The body, where it has stayed in memory. */
  readonly bytes?: Buffer;
  /** Hash of the body, if it was asked for. */
  readonly digest?: BodyDigest;
}

/**
 * Reads a multipart body. One that exceeds `memoryBytes` is parsed as it arrives, and its files are written to the temporary file;
 * the source is paused until that is done.
 * @returns undefined when there is more than the limit
 * @throws ContentSyntaxError, RequestAbortedError, BodyTimeoutError, BodyMemoryError, UploadStorageError
 */
export async function readUpload(request: UploadRequest, upload: UploadFile): Promise<Upload | undefined> {
  const { source, contentType, limit, memoryBytes, fieldBytes, deadline, claim, announced } = request;
  const hash = request.hasDigest ? new BodyHash(contentType) : undefined;
  let size = 0;
  /** Collected before it is passed to the parser: chunks may be as short as a byte, and each costs some work. */
  const held = new ByteBlocks();
  let parser: ReturnType<typeof multipartParser> | undefined;

  const pass = async (): Promise<boolean> => {
    await write(parser!.feed, held.take());
    await upload.flush();
    return true;
  };
  const take = (chunk: Buffer): boolean | Promise<boolean> => {
    if (size === 0) claim?.expect(announced);
    size += chunk.length;
    if (size > limit) return false;
    // What is not in the file is in memory.
    claim?.hold(size - upload.length);
    hash?.update(chunk);
    held.append(chunk);
    if (parser) return held.length < PASSED_BYTES || pass();
    if (size <= memoryBytes) return true;
    parser = multipartParser(contentType, fieldBytes, (part) => sinkOf(part, upload));
    // Awaited below; it may reject before, which must not count as unhandled.
    parser.form.catch(() => undefined);
    return pass();
  };
  try {
    if (!(await readChunks(source, take, deadline, limit))) return undefined;
  } finally {
    if (parser && !source.readableEnded) parser.feed.destroy();
  }
  const digest = hash && { digest: hash.digest() };
  if (!parser) {
    const bytes = held.take();
    return { form: await parseForm(bytes, contentType), size, bytes, ...digest };
  }
  await pass();
  parser.feed.end();
  const form = await parser.form;
  await upload.flush();
  return { form, size, ...digest };
}

function sinkOf(part: FilePart, upload: UploadFile): FileSink {
  const extents: Extent[] = [];
  return {
    write: (chunk) => upload.append(chunk, extents),
    end: () => uploadedFile({ ...part, length: extents.reduce((sum, e) => sum + e.length, 0) }, upload, extents),
  };
}

/** Resolves also when the parser has failed; its form rejects with the reason. */
const write = (feed: Writable, chunk: Buffer): Promise<void> =>
  new Promise((resolve) => {
    if (feed.destroyed) return resolve();
    feed.once('close', resolve);
    feed.write(chunk, () => {
      feed.off('close', resolve);
      resolve();
    });
  });
