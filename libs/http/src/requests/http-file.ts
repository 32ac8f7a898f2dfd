/** A file that came with a request or response, or goes out with one: plain data, so that variables can keep it. */
export interface HttpFile {
  /** Name of the form field it came in. */
  readonly name?: string;
  readonly filename: string;
  readonly contentType: string;
  readonly length: number;
  readonly eTag?: string;
  readonly bytes: Uint8Array;
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
