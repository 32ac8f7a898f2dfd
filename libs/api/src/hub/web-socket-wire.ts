import type { Duplex } from 'node:stream';
import type { WorkflowClock } from '@waymark/runtime';
import type { WebSocket } from 'ws';
import type { HubWire } from './hub-wire.js';

/** The connection is terminated that long after its last message. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Close code of RFC 6455. */
const NORMAL_CLOSURE = 1000;

export class WebSocketWire implements HubWire {
  constructor(
    private readonly socket: WebSocket,
    /** What the WebSocket reads and writes. */
    private readonly stream: Duplex,
    private readonly bufferBytes: number,
    private readonly clock: WorkflowClock,
  ) {}

  get waiting(): number {
    return this.socket.bufferedAmount;
  }

  send(text: string): void {
    if (this.waiting + Buffer.byteLength(text) > this.bufferBytes) this.cut();
    else this.socket.send(text);
  }

  /** The answer to a ping, which holds what that held. */
  pong(data: Buffer): void {
    if (this.waiting + data.length > this.bufferBytes) this.cut();
    else if (this.socket.readyState === this.socket.OPEN) this.socket.pong(data);
  }

  end(text: string, isAbrupt: boolean): void {
    const { socket } = this;
    const cancel = this.clock.setTimer(() => socket.terminate(), CLOSE_TIMEOUT_MS, { isPoll: true });
    socket.once('close', cancel);
    if (isAbrupt) {
      socket.pause();
      socket.send(text, () => this.endStream());
    } else {
      socket.send(text);
      socket.close(NORMAL_CLOSURE);
    }
  }

  /**
   * What the client still sends is dropped as bytes, so that it costs neither memory nor frames. With unread bytes a socket would be reset,
   * and the reset can reach the client before the message that says why.
   */
  private endStream(): void {
    this.stream.removeAllListeners('data');
    this.stream.resume();
    this.stream.end();
  }

  cut(): void {
    this.socket.terminate();
  }
}
