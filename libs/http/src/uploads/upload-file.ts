import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { UploadGoneError, UploadStorageError } from './upload-errors.js';

const READ_BYTES = 65_536;

/** Where in the file a part of a content lies. */
export interface Extent {
  readonly start: number;
  length: number;
}

/** The temporary file of one request: the contents of its parts, one after the other. */
export class UploadFile {
  private size = 0;
  private written = 0;
  private queue: Buffer[] = [];
  private handle: FileHandle | undefined;
  private flushing: Promise<void> | undefined;
  /** The request, and streams that are being read. */
  private users = 1;

  /**
   * @param open makes the file @throws UploadStorageError
   * @param reserve room for so many bytes @throws UploadStorageError when there is none
   * @param free gives it back
   * @param refused tells the operator of an error of the disk
   */
  constructor(
    private readonly open: () => Promise<FileHandle>,
    private readonly reserve: (bytes: number) => void,
    private readonly free: (bytes: number) => void,
    private readonly refused: (error: unknown) => UploadStorageError,
  ) {}

  /** Taken so far, in bytes. */
  get length(): number {
    return this.size;
  }

  /**
   * Takes a chunk, which is on the disk after the next `flush`.
   * @param extents of the content so far: chunks of two contents may come by turns
   */
  append(chunk: Buffer, extents: Extent[]): void {
    const last = extents.at(-1);
    if (last && last.start + last.length === this.size) last.length += chunk.length;
    else extents.push({ start: this.size, length: chunk.length });
    this.size += chunk.length;
    this.queue.push(chunk);
  }

  /** @throws UploadStorageError */
  async flush(): Promise<void> {
    await this.flushing;
    // A part that arrives when its request is over is not kept.
    if (this.queue.length === 0 || this.users === 0) return;
    const bytes = this.queue.length === 1 ? this.queue[0]! : Buffer.concat(this.queue);
    this.queue = [];
    this.reserve(bytes.length);
    this.flushing = this.write(bytes);
    await this.flushing;
  }

  private async write(bytes: Buffer): Promise<void> {
    const at = this.written;
    this.written += bytes.length;
    try {
      this.handle ??= await this.open();
      for (let done = 0; done < bytes.length;)
        done += (await this.handle.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
    } catch (error) {
      throw error instanceof UploadStorageError ? error : this.refused(error);
    }
  }

  /** A content as a whole. At once, since members of objects are read at once. @throws UploadGoneError */
  read(extents: readonly Extent[], filename: string): Uint8Array {
    const { fd } = this.require(filename);
    const bytes = new Uint8Array(extents.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const { start, length } of extents)
      for (let done = 0; done < length;) {
        const count = readSync(fd, bytes, at, length - done, start + done);
        if (count === 0) throw new UploadGoneError(filename);
        done += count;
        at += count;
      }
    return bytes;
  }

  /** A content piece by piece; the file stays until the stream is closed. @throws UploadGoneError */
  stream(extents: readonly Extent[], filename: string): Readable {
    const handle = this.require(filename);
    this.users++;
    async function* pieces(): AsyncGenerator<Buffer> {
      for (const { start, length } of extents)
        for (let done = 0; done < length;) {
          const piece = Buffer.allocUnsafe(Math.min(READ_BYTES, length - done));
          const { bytesRead } = await handle.read(piece, 0, piece.length, start + done);
          if (bytesRead === 0) throw new UploadGoneError(filename);
          done += bytesRead;
          yield piece.subarray(0, bytesRead);
        }
    }
    return Readable.from(pieces(), { objectMode: false }).once('close', () => void this.close());
  }

  /** The request needs it no more. */
  async close(): Promise<void> {
    if (this.users === 0 || --this.users > 0) return;
    // A write that is under way would go to whatever file has the number next.
    await this.flushing?.catch(() => undefined);
    this.queue = [];
    const { handle } = this;
    this.handle = undefined;
    this.free(this.written);
    await handle?.close();
  }

  private require(filename: string): FileHandle {
    if (!this.handle) throw new UploadGoneError(filename);
    return this.handle;
  }
}
