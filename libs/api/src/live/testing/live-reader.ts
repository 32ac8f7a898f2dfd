import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';

export interface SentEvent {
  readonly id: string | undefined;
  readonly name: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server says
  readonly data: any;
}

/** What a client that follows changes reads. With a connection of its own: `fetch` opens another when one is broken off. */
export class LiveReader {
  private text = '';
  private isAtEnd = false;
  private readonly decoder = new TextDecoder();
  private message: IncomingMessage | undefined;
  private chunks: AsyncIterator<Uint8Array> | undefined;
  /** As a browser keeps it. */
  lastEventId: string | undefined;
  response = { status: 0, headers: new Headers() };

  static async open(base: string, query = '', headers: Record<string, string> = {}): Promise<LiveReader> {
    const live = new LiveReader();
    const request = get(`${base}/elsa/api/events/stream${query}`, { headers, agent: false });
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    live.response = { status: message.statusCode!, headers: new Headers(message.headers as Record<string, string>) };
    live.message = message;
    live.chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    return live;
  }

  /** The next block between two empty lines; undefined at the end. */
  async block(): Promise<string | undefined> {
    for (;;) {
      const end = this.text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.text.slice(0, end);
        this.text = this.text.slice(end + 2);
        this.lastEventId = /^id: (.*)$/m.exec(block)?.[1] ?? this.lastEventId;
        return block;
      }
      if (this.isAtEnd || !this.chunks) return undefined;
      const { value, done } = await this.chunks.next();
      if (done) this.isAtEnd = true;
      else this.text += this.decoder.decode(value, { stream: true });
    }
  }

  /** The next event with data. */
  async next(): Promise<SentEvent> {
    for (;;) {
      const block = await this.block();
      if (block === undefined) throw new Error('The stream has ended.');
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const of = (field: string) => new RegExp(`^${field}: (.*)$`, 'm').exec(block)?.[1];
      return { id: of('id'), name: of('event'), data: JSON.parse(data) };
    }
  }

  /** The first event of which that holds; those before are left out. */
  async until(holds: (event: SentEvent) => boolean): Promise<SentEvent> {
    for (;;) {
      const event = await this.next();
      if (holds(event)) return event;
    }
  }

  leave(): void {
    this.message?.destroy();
  }
}
