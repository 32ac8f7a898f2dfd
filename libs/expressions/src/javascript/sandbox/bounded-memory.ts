/** Of WebAssembly memory. */
const PAGE = 65_536;
/** What the module asks for at least. */
const INITIAL_PAGES = 256;
/** Emscripten asks for a fifth more than there is, then for a tenth and a twentieth, before `malloc` answers null. */
const ATTEMPTS = 3;

/**
 * Memory of a WebAssembly module, which warns before it is full. A script that grows it beyond five eighths gets what it asks
 * for and is ended at its next loop or call ({@link usesReserve}); beyond seven eighths, growing is refused once.
 *
 * Why: QuickJS frees an error that is being thrown when there is no room for the error's stack, and keeps using it. With one
 * hard limit about every tenth script that filled the memory corrupted the module, and lost the scripts that waited in it.
 */
export class BoundedMemory {
  readonly memory: WebAssembly.Memory;
  /** Pages at which scripts end, and those at which growing is refused. */
  private readonly end: number;
  private readonly refusal: number;
  private attempt = 0;
  private isRefused = false;
  private isOverdrawn = false;

  /** @param memoryMb all of it, the reserve included */
  constructor(memoryMb: number) {
    const maximum = (memoryMb << 20) / PAGE;
    this.end = Math.max(INITIAL_PAGES, Math.floor((maximum * 5) / 8));
    this.refusal = Math.floor((maximum * 7) / 8);
    // Bounded: without a maximum a script can grow the memory of the process by gigabytes, which never shrinks.
    this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum });
    const grow = this.memory.grow.bind(this.memory);
    this.memory.grow = (pages) => {
      this.consider(this.pages + pages);
      return grow(pages);
    };
  }

  /** A script once needed more memory than there was at the start. */
  get hasGrown(): boolean {
    return this.pages > INITIAL_PAGES;
  }

  /** The script that runs has grown the memory beyond what scripts may have: it has to end. */
  get usesReserve(): boolean {
    return this.isOverdrawn;
  }

  /** A script has used of the reserve, which is never given back. */
  get isSpent(): boolean {
    return this.pages > this.end;
  }

  /** The script has ended, or waits. */
  reset(): void {
    this.attempt = 0;
    this.isRefused = false;
    this.isOverdrawn = false;
  }

  private get pages(): number {
    return this.memory.buffer.byteLength / PAGE;
  }

  /** @throws RangeError as `grow` does, when there is not to be as much; Emscripten then tries to get by with less */
  private consider(wanted: number): void {
    if (wanted <= this.end) {
      this.attempt = 0;
      return;
    }
    this.attempt++;
    // Of the reserve it gets the least that will do.
    if (this.attempt < ATTEMPTS) throw new RangeError('Less memory may do.');
    this.attempt = 0;
    if (wanted > this.refusal && !this.isRefused) {
      this.isRefused = true;
      throw new RangeError('The memory for scripts is used up.');
    }
    this.isOverdrawn = true;
  }
}
