import { Transform, type TransformCallback } from 'node:stream';
import { createInflate, createInflateRaw, type Inflate, type InflateRaw } from 'node:zlib';

/** Low half of the first byte that the format of zlib has; no raw content begins so, but for one that no program writes. */
const ZLIB = 8;

/**
 * Undoes `deflate`: in the format of zlib, as the standard says, and without it, as many servers send it and browsers, curl and `fetch`
 * read it.
 */
export class AnyInflate extends Transform {
  private inflate: Inflate | InflateRaw | undefined;
  /** The content has ended: what follows does not belong to it. */
  private isOver = false;

  override _transform(chunk: Buffer, encoding: BufferEncoding, done: TransformCallback): void {
    if (chunk.length === 0 || this.isOver) return done();
    this.inflate ??= this.open(chunk[0]!);
    this.inflate.write(chunk, encoding, () => done());
  }

  override _flush(done: TransformCallback): void {
    if (!this.inflate || this.isOver) return done();
    this.inflate.once('end', () => done());
    this.inflate.end();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.inflate?.destroy();
    done(error);
  }

  private open(first: number): Inflate | InflateRaw {
    const inflate = (first & 0x0f) === ZLIB ? createInflate() : createInflateRaw();
    inflate.on('data', (plain: Buffer) => this.push(plain));
    inflate.on('end', () => {
      this.isOver = true;
    });
    inflate.on('error', (error) => this.destroy(error));
    return inflate;
  }
}
