import { type FileHandle, open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkflowClock } from '@waymark/runtime';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { HTTP_OPTIONS, type ResolvedHttpOptions } from '../module/http-options.js';
import { prepareDirectory, removeLeftovers, uploadName } from './upload-directory.js';
import { UploadFile } from './upload-file.js';
import { UploadStorageError } from './upload-errors.js';

/**
 * Temporary files for uploads.
 *
 * 1. A file loses its name as soon as it is open. The system takes it back when it is closed, also when the process is killed.
 * 2. One for each request, whatever the number of its parts: files that are open are few.
 * 3. Requests at the same time share a budget of room on the disk.
 */
@Injectable()
export class UploadFiles implements OnModuleInit {
  private readonly logger = new WorkflowLogger('UploadFiles');
  private used = 0;

  constructor(
    private readonly clock: WorkflowClock,
    @Inject(HTTP_OPTIONS) private readonly options: ResolvedHttpOptions,
  ) {}

  async onModuleInit(): Promise<void> {
    const count = await removeLeftovers(this.options.uploadDirectory, this.clock.now());
    if (count > 0) this.logger.log(`Removed ${count} upload(s) of processes that have ended.`);
  }

  /** For one request. Nothing is on the disk before there is something to write. */
  create(): UploadFile {
    return new UploadFile(
      () => this.open(),
      (bytes) => this.reserve(bytes),
      (bytes) => (this.used -= bytes),
      (error) => this.noted(error),
    );
  }

  private async open(): Promise<FileHandle> {
    const { uploadDirectory } = this.options;
    try {
      await prepareDirectory(uploadDirectory);
      const file = path.join(uploadDirectory, uploadName());
      const handle = await open(file, 'wx+', 0o600);
      // Where an open file keeps its name, it is removed with the leftovers.
      await unlink(file).catch(() => undefined);
      return handle;
    } catch (error) {
      throw this.noted(error);
    }
  }

  private reserve(bytes: number): void {
    if (this.used + bytes > this.options.uploadDiskBytes)
      throw this.noted(
        new UploadStorageError(
          `Concurrent uploads need more than the ${this.options.uploadDiskBytes} bytes of http.uploadDiskBytes.`,
        ),
      );
    this.used += bytes;
  }

  private noted(error: unknown): UploadStorageError {
    const storage =
      error instanceof UploadStorageError ? error : new UploadStorageError(String(error), { cause: error });
    this.logger.error(`An upload was refused (WM5066). ${storage.reason}`);
    return storage;
  }
}
