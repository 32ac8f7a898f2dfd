import { createHash } from 'node:crypto';

/** Stands for each boundary. */
const MARK = Buffer.from('\r\n--\0--\r\n');
/** No form has as many parts. Beyond, the bytes count as they are: a boundary of one character may stand in a body millions of times. */
const MOST_MARKS = 20_000;
/** By the format; a longer one is looked for in none. */
const MOST_BOUNDARY_BYTES = 70;

/**
 * Hash of a multipart body that is the same whatever its boundary is: clients make a new one each time that they send a form, so that
 * the same form never comes with the same bytes.
 */
export class FormDigest {
  private readonly hash = createHash('sha256');
  private readonly boundary: Buffer | undefined;
  private marks = 0;
  /** The end of what has come, in which a boundary may have begun. */
  private rest: Buffer = Buffer.alloc(0);

  constructor(contentType: string) {
    const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
    const boundary = quoted ?? bare;
    if (boundary !== undefined && boundary.length <= MOST_BOUNDARY_BYTES) this.boundary = Buffer.from(`--${boundary}`);
  }

  update(chunk: Buffer): void {
    const { boundary, hash } = this;
    if (!boundary || this.marks >= MOST_MARKS) return void hash.update(chunk);
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    for (let found = bytes.indexOf(boundary); found >= 0; found = bytes.indexOf(boundary, at)) {
      hash.update(bytes.subarray(at, found)).update(MARK);
      at = found + boundary.length;
      if (++this.marks >= MOST_MARKS) return this.end(bytes.subarray(at));
    }
    const kept = Math.max(at, bytes.length - boundary.length + 1);
    hash.update(bytes.subarray(at, kept));
    // Not a view: the chunk may be used again.
    this.rest = Buffer.from(bytes.subarray(kept));
  }

  /** From now on the bytes count as they are. */
  private end(bytes: Buffer): void {
    this.rest = Buffer.alloc(0);
    this.hash.update(bytes);
  }

  /** Once, when all of it has come. */
  digest(): string {
    return this.hash.update(this.rest).digest('base64url');
  }
}
