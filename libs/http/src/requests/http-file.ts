import { Readable } from 'node:stream';
import { inAnyCasing, unreadMemberOf, withUnreadMember } from '@waymark/core/adapter';
import type { Extent, UploadFile } from '../uploads/upload-file.js';

/**
 * A file that came with a request or response, or goes out with one: plain data, so that variables can keep it. Expressions
 * read its members in any casing: as here, or as Elsa names them (`FileName`, `ContentType`, `Length`, `Name`, `Headers`).
 */
export interface HttpFile {
  /** Name of the form field it came in. */
  readonly name?: string;
  /** Name that the sender gave it, without folders. */
  readonly filename: string;
  /** Content type that the sender gave it. */
  readonly contentType: string;
  /** Size in bytes. */
  readonly length: number;
  /** Its `ETag`; absent: none. */
  readonly eTag?: string;
  /** Those of its part of a form, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The content. That of a large upload lies in a temporary file, and is read as a whole each time this is read. */
  readonly bytes: Uint8Array;
}

/** A file as expressions read it. */
export function httpFile(file: HttpFile): HttpFile {
  if (file.headers) inAnyCasing(file.headers);
  return inAnyCasing(file);
}

/** Where the content of a file lies. */
interface StoredContent {
  readonly upload: UploadFile;
  readonly extents: readonly Extent[];
}

// Of this process alone: a copy of such a file has the content itself.
const stored = new WeakMap<HttpFile, StoredContent>();

/** A file whose content lies in a temporary one, and is read when it is asked for. @param extents of its content there */
export function uploadedFile(facts: Omit<HttpFile, 'bytes'>, upload: UploadFile, extents: readonly Extent[]): HttpFile {
  const { filename } = facts;
  let last: WeakRef<Uint8Array> | undefined;
  const read = (): Uint8Array => {
    const known = last?.deref();
    if (known) return known;
    const bytes = upload.read(extents, filename);
    last = new WeakRef(bytes);
    return bytes;
  };
  const file = httpFile(withUnreadMember({ ...facts }, 'bytes', read));
  stored.set(file, { upload, extents });
  return file;
}

/** Returns true if the content is not in memory. */
export const isStoredFile = (file: HttpFile): boolean => stored.has(file);

/**
 * Returns the content of a file as a stream. The content of a large upload is never in memory as a whole.
 * @throws UploadGoneError (`WM5065`) the burst that the upload was for is over
 */
export function openHttpFile(file: HttpFile): Readable {
  const { upload, extents } = stored.get(file) ?? {};
  return upload ? upload.stream(extents!, file.filename) : Readable.from([file.bytes], { objectMode: false });
}

/** Returns true if a value is a file of a form or a downloaded file. */
export function isHttpFile(value: unknown): value is HttpFile {
  if (typeof value !== 'object' || value === null) return false;
  const file = value as Partial<HttpFile>;
  // Its content need not be read for that.
  const hasBytes = unreadMemberOf(value) === 'bytes' || file.bytes instanceof Uint8Array;
  return hasBytes && typeof file.filename === 'string';
}

/** Extension with its dot, in lower case; `''` when there is none. */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? '' : filename.slice(dot).toLowerCase();
}
