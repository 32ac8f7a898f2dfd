import { createHash } from 'node:crypto';
import { FormDigest } from './form-digest.js';
import { isMultipart } from './parse-form.js';

/** By what a body is known again. */
export interface BodyDigest {
  /** Hash of its bytes. */
  readonly bytes: string;
  /** Of a form with files: the same for every boundary. */
  readonly form?: string;
}

/** Hashes a body as it comes. */
export class BodyHash {
  private readonly bytes = createHash('sha256');
  private readonly form: FormDigest | undefined;

  constructor(contentType: string | undefined) {
    if (isMultipart(contentType)) this.form = new FormDigest(contentType);
  }

  update(chunk: Buffer): void {
    this.bytes.update(chunk);
    this.form?.update(chunk);
  }

  /** Once, when all of it has come. */
  digest(): BodyDigest {
    const form = this.form?.digest();
    return { bytes: this.bytes.digest('base64url'), ...(form !== undefined && { form }) };
  }
}
