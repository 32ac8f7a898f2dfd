import type { Readable } from 'node:stream';
import { clearImmediate, setImmediate } from 'node:timers';

/** So many chunks take a few milliseconds, whatever their length. A body in chunks of 64 kB never has as many. */
const MOST_CHUNKS = 4096;

/**
 * Lets other work of the process run between the chunks of one source. A client may send chunks of a byte each, and Node reads
 * megabytes from a socket before it looks at another one: hundreds of thousands of chunks would come in one turn.
 */
export class TurnOfChunks {
  private chunks = 0;
  private waiting: NodeJS.Immediate | undefined;

  /** @param mayResume false while the source is paused for another reason; `resume` is called later */
  constructor(
    private readonly source: Readable,
    private readonly mayResume: () => boolean = () => true,
  ) {}

  /** A chunk has come. Pauses the source until the next turn when there were many in this one. */
  count(): void {
    if (++this.chunks < MOST_CHUNKS || this.waiting) return;
    this.source.pause();
    this.waiting = setImmediate(() => {
      this.waiting = undefined;
      this.chunks = 0;
      if (this.mayResume()) this.source.resume();
    });
  }

  /** Resumes the source, at once or in the next turn. */
  resume(): void {
    if (!this.waiting) this.source.resume();
  }

  end(): void {
    clearImmediate(this.waiting);
  }
}

/** Reads the rest of a source and drops it. */
export function discardInTurns(source: Readable): void {
  const turn = new TurnOfChunks(source);
  source.on('data', () => turn.count()).resume();
}
