import { BodyTooLargeError, InvalidRequestError } from '../answers/api-errors.js';
import { raiseHint } from './body-limits.js';

/** What an upload may still bring, the content of its archives included. */
export class UploadBudget {
  private bytes = 0;
  private files = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly maxFiles: number,
  ) {}

  get isSpent(): boolean {
    return this.bytes > this.maxBytes || this.files > this.maxFiles;
  }

  addBytes(count: number): void {
    this.bytes += count;
  }

  /** @throws InvalidRequestError */
  addFile(): void {
    this.files++;
    if (this.isSpent) throw this.error();
  }

  error(): Error {
    return this.files > this.maxFiles ? tooManyFiles(this.maxFiles) : tooManyBytes(this.maxBytes);
  }
}

export const tooManyBytes = (maxBytes: number): Error => new BodyTooLargeError(maxBytes, raiseHint('importBytes'));

export const tooManyFiles = (maxFiles: number): InvalidRequestError =>
  new InvalidRequestError(
    `The upload has more than ${maxFiles} files, those in archives included. Nothing was imported.${raiseHint('importFiles')}`,
  );
