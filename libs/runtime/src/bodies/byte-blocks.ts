const FIRST_BLOCK_BYTES = 1024;
const LARGEST_BLOCK_BYTES = 65_536;

/**
 * Gathers the bytes of a stream. The sender decides how long its chunks are: each kept as it is would take a buffer of its own,
 * some hundred bytes for one. So they are copied into blocks, which grow with what is there: at most twice the bytes, and one
 * block, are held.
 * @internal
 */
export class ByteBlocks {
  private full: Buffer[] = [];
  private block: Buffer | undefined;
  private used = 0;
  private size = 0;

  /** In bytes. */
  get length(): number {
    return this.size;
  }

  /** What it takes in memory, in bytes. */
  get heldBytes(): number {
    return this.full.reduce((sum, { length }) => sum + length, this.block?.length ?? 0);
  }

  /** Copies a chunk: it may be reused afterwards. */
  append(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length;) {
      const block = this.openBlock();
      const room = block.length - this.used;
      const isWhole = at === 0 && chunk.length <= room;
      const piece = isWhole ? chunk : chunk.subarray(at, at + room);
      block.set(piece, this.used);
      this.used += piece.length;
      at += piece.length;
    }
    this.size += chunk.length;
  }

  /** All bytes; nothing is held afterwards. */
  take(): Buffer {
    const { block } = this;
    const last = block ? [block.subarray(0, this.used)] : [];
    const bytes = Buffer.concat([...this.full, ...last], this.size);
    this.clear();
    return bytes;
  }

  /** Holds nothing any more. */
  clear(): void {
    this.full = [];
    this.block = undefined;
    this.used = 0;
    this.size = 0;
  }

  private openBlock(): Buffer {
    if (this.block && this.used < this.block.length) return this.block;
    if (this.block) this.full.push(this.block);
    const length = Math.min(LARGEST_BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, this.size));
    this.block = Buffer.allocUnsafeSlow(length);
    this.used = 0;
    return this.block;
  }
}
