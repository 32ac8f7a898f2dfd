import type { WorkflowClock } from '@waymark/runtime';
import type { WebSocket } from 'ws';
import type { HubWire } from './hub-wire.js';

/** A last message takes no longer: then the connection is cut off. */
const FAREWELL_MS = 1_000;
const NORMAL = 1000;

export class WebSocketWire implements HubWire {
  constructor(
    private readonly socket: WebSocket,
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
    const cancel = this.clock.setTimer(() => socket.terminate(), FAREWELL_MS, { isPoll: true });
    socket.once('close', cancel);
    if (isAbrupt) {
      // What it still sends would only fill the memory.
      socket.pause();
      socket.send(text, () => socket.terminate());
    } else {
      socket.send(text);
      socket.close(NORMAL);
    }
  }

  cut(): void {
    this.socket.terminate();
  }
}
