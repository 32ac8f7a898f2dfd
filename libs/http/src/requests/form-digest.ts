import { createHash } from 'node:crypto';

/** Stands for each boundary. */
const MARK = Buffer.from('\r\n--\0--\r\n');

/**
 * Hash of a multipart body that is the same whatever its boundary is: clients make a new one each time that they send a form, so that
 * the same form never comes with the same bytes.
 */
export class FormDigest {
  private readonly hash = createHash('sha256');
  private readonly boundary: Buffer | undefined;
  /** The end of what has come, in which a boundary may have begun. */
  private rest: Buffer = Buffer.alloc(0);

  constructor(contentType: string) {
    const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
    const boundary = quoted ?? bare;
    this.boundary = boundary === undefined ? undefined : Buffer.from(`--${boundary}`);
  }

  update(chunk: Buffer): void {
    const { boundary, hash } = this;
    if (!boundary) return void hash.update(chunk);
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    let at = 0;
    for (let found = bytes.indexOf(boundary); found >= 0; found = bytes.indexOf(boundary, at)) {
      hash.update(bytes.subarray(at, found)).update(MARK);
      at = found + boundary.length;
    }
    const kept = Math.max(at, bytes.length - boundary.length + 1);
    hash.update(bytes.subarray(at, kept));
    // Not a view: the chunk may be used again.
    this.rest = Buffer.from(bytes.subarray(kept));
  }

  /** Once, when all of it has come. */
  digest(): string {
    return this.hash.update(this.rest).digest('base64url');
  }
}
