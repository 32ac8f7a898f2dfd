import { inAnyCasing } from '@waymark/core';

/**
 * A file that came with a request or response, or goes out with one: plain data, so that variables can keep it. Expressions
 * read its members in any casing: as here, or as Elsa names them (`FileName`, `ContentType`, `Length`, `Name`, `Headers`).
 */
export interface HttpFile {
  /** Name of the form field it came in. */
  readonly name?: string;
  readonly filename: string;
  readonly contentType: string;
  readonly length: number;
  readonly eTag?: string;
  /** Those of its part of a form, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
}

/** A file as expressions read it. */
export function httpFile(file: HttpFile): HttpFile {
  if (file.headers) inAnyCasing(file.headers);
  return inAnyCasing(file);
}

export function isHttpFile(value: unknown): value is HttpFile {
  if (typeof value !== 'object' || value === null) return false;
  const file = value as Partial<HttpFile>;
  return file.bytes instanceof Uint8Array && typeof file.filename === 'string';
}

/** Extension with its dot, in lower case; `''` when there is none. */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? '' : filename.slice(dot).toLowerCase();
}
