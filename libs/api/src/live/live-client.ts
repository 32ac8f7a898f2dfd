import { Readable } from 'node:stream';
import { eventText, isWanted, type LiveEvent, type LiveFilter, type LiveTopic } from './live-events.js';
import type { LiveSubscriber } from './live-subscriber.js';

export interface LiveClientOptions {
  /** Most bytes that wait for the client to read them. */
  readonly bufferBytes: number;
  /** When its credentials have to be shown again. */
  readonly until?: number | undefined;
}

/** One client that follows changes, as the stream of its answer. */
export class LiveClient extends Readable implements LiveSubscriber {
  /** It read too slowly: the connection is broken off, and the client goes on from the last event that it has read. */
  wasCut = false;
  private isEnding = false;

  constructor(
    readonly wanted: LiveFilter,
    private readonly options: LiveClientOptions,
  ) {
    super();
  }

  // oxlint-disable-next-line no-empty-function -- what comes is pushed when it comes
  override _read(): void {}

  tell(event: LiveEvent, text: string): void {
    if (isWanted(this.wanted, event)) this.note(text);
  }

  reset(topic: LiveTopic): void {
    if (this.wanted.topics.has(topic)) this.note(eventText('reset', { topic }));
  }

  note(text: string): void {
    if (this.destroyed || this.isEnding) return;
    if (this.readableLength + Buffer.byteLength(text) > this.options.bufferBytes) this.cut();
    else this.push(text);
  }

  hasEnded(now: number): boolean {
    return this.options.until !== undefined && now >= this.options.until;
  }

  /** With a last event, which says why: the client may come again. */
  end(reason: 'shutdown' | 'login'): void {
    // It has its last event, and does not read it.
    if (this.isEnding) return this.cut();
    this.note(eventText('closed', { reason }));
    this.isEnding = true;
    if (!this.destroyed) this.push(null);
  }

  private cut(): void {
    this.wasCut = true;
    this.destroy();
  }
}
