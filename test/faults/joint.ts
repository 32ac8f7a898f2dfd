import { connect, type Socket } from 'node:net';
import type { Refusal, Wire } from './wire.js';

/** See `FaultProxy.cutAt`. */
export type Cut = 'before' | 'after' | 'black-hole';

/** What is wrong at present with all connections of a proxy. */
export interface JointFaults {
  readonly latencyMs: number;
  /** Waits so many milliseconds. */
  readonly pause: (ms: number) => Promise<unknown>;
  /** Asked for each command with SQL. */
  readonly cut?: ((sql: string) => Cut | undefined) | undefined;
  /** Asked for each command with SQL. */
  readonly refuse?: ((sql: string, joint: Joint) => Refusal | undefined) | undefined;
}

/** One connection through the proxy: a client, a server, and what passes between them, in order. */
export class Joint {
  /** When both sides are closed. */
  readonly ended: Promise<unknown>;
  private readonly server: Socket;
  private held: Promise<void> | undefined;
  private release: (() => void) | undefined;
  private isCutByAnswer = false;
  /** How often a client has sent something that did not get through. */
  swallowed = 0;

  constructor(
    private readonly client: Socket,
    address: { readonly host: string; readonly port: number },
    private readonly wire: Wire,
    private readonly faults: JointFaults,
  ) {
    this.server = connect({ ...address, allowHalfOpen: true });
    this.pass(client, this.server, (chunk) => this.fromClient(chunk));
    this.pass(this.server, client, (chunk) => (this.isCutByAnswer ? this.cut() : void client.write(chunk)));
    this.ended = Promise.all([closed(client), closed(this.server)]);
  }

  /** Both sides see the end of their connection. */
  cut(): void {
    this.client.destroy();
    this.server.destroy();
    this.goOn();
  }

  /** Nothing passes any more, not even that a side hung up. */
  hold(): void {
    this.held ??= new Promise((resolve) => (this.release = resolve));
  }

  goOn(): void {
    this.release?.();
    this.held = this.release = undefined;
  }

  private pass(from: Socket, to: Socket, deliver: (chunk: Buffer) => void): void {
    from.setNoDelay(true);
    let last: Promise<unknown> = Promise.resolve();
    const afterwards = (act: () => void): void => {
      const due = performance.now() + this.faults.latencyMs;
      last = last.then(() => this.until(due)).then(act);
    };
    from.on('data', (chunk: Buffer) => {
      if (this.held && from === this.client) this.swallowed++;
      afterwards(() => deliver(chunk));
    });
    from.on('end', () => afterwards(() => to.end()));
    // A cut is not an error here; both sides see it as the end of their connection.
    from.on('error', () => {});
    from.on('close', () => afterwards(() => to.destroy()));
  }

  private async until(due: number): Promise<void> {
    const wait = due - performance.now();
    if (wait > 0) await this.faults.pause(wait);
    while (this.held) await this.held;
  }

  private fromClient(chunk: Buffer): void {
    for (const command of this.wire.read(chunk)) {
      const moment = command.sql === '' ? undefined : this.faults.cut?.(command.sql);
      if (moment === 'before') return this.cut();
      if (moment === 'black-hole') return this.hold();
      if (moment === 'after') this.isCutByAnswer = true;
      const refusal = command.sql === '' ? undefined : this.faults.refuse?.(command.sql, this);
      this.server.write(refusal ? this.wire.refused(command, refusal) : command.bytes);
    }
  }
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()));
}
