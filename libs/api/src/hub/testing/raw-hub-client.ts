import { once } from 'node:events';
import { WebSocket } from 'ws';

const SEPARATOR = '\u001e';

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the server says
type Message = any;

/** A client of the hub that sends what it is made to send, over a WebSocket. */
export class RawHubClient {
  private readonly messages: Message[] = [];
  private text = '';
  private readonly closed: Promise<number>;

  private constructor(readonly socket: WebSocket) {
    this.closed = new Promise((resolve) => void socket.once('close', resolve));
    // What is refused is for those that open it.
    socket.on('error', () => undefined);
    socket.on('message', (data) => {
      const parts = (this.text + (data as Buffer).toString('utf8')).split(SEPARATOR);
      this.text = parts.pop()!;
      this.messages.push(...parts.map((part) => JSON.parse(part) as Message));
      socket.emit('heard');
    });
  }

  /** @param url of the hub, with `http` @throws Error that says with which status it was refused */
  static async open(url: string, headers: Record<string, string> = {}): Promise<RawHubClient> {
    const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers });
    const client = new RawHubClient(socket);
    await once(socket, 'open');
    return client;
  }

  /** One that has greeted. */
  static async greeted(url: string, headers?: Record<string, string>): Promise<RawHubClient> {
    const client = await RawHubClient.open(url, headers);
    client.send({ protocol: 'json', version: 1 });
    await client.next();
    return client;
  }

  send(...messages: object[]): void {
    this.socket.send(messages.map((message) => JSON.stringify(message) + SEPARATOR).join(''));
  }

  /** The next message but pings; undefined when the connection is closed. */
  async next(): Promise<Message> {
    for (;;) {
      while (this.messages.length === 0) {
        if (this.socket.readyState === WebSocket.CLOSED) return undefined;
        await Promise.race([once(this.socket, 'heard'), this.closed]);
      }
      const message = this.messages.shift();
      if (message.type !== 6) return message;
    }
  }

  /** The first message of which that holds. @throws Error when the connection is closed before */
  async until(holds: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const message = await this.next();
      if (message === undefined) throw new Error('The connection is closed.');
      if (holds(message)) return message;
    }
  }

  /** Resolves with the code when the connection is closed. */
  end(): Promise<number> {
    return this.closed;
  }

  leave(): void {
    this.socket.terminate();
  }
}
