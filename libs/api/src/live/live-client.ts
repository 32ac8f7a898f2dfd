import { Readable } from 'node:stream';
import { eventText, isWanted, type LiveEvent, type LiveFilter, type LiveTopic } from './live-events.js';
import type { LiveSubscriber } from './live-subscriber.js';

export interface LiveClientOptions {
  /** Most bytes that may be buffered until the client reads them. */
  readonly bufferBytes: number;
  /** When the client has to present its credentials again, in milliseconds since 1970. */
  readonly until?: number | undefined;
}

/** One client of the event stream: the body of its response. */
export class LiveClient extends Readable implements LiveSubscriber {
  /**
   * If true, the client read too slowly, so the connection is destroyed; it reconnects with the id of the last event it
   * received.
   */
  wasCut = false;
  private isEnding = false;

  constructor(
    readonly wanted: LiveFilter,
    private readonly options: LiveClientOptions,
  ) {
    super();
  }

  // oxlint-disable-next-line no-empty-function -- events are pushed as they occur
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

  /** Ends the stream after a last event with the reason; the client may reconnect. */
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
