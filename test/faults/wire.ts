/** A fault that the proxy lets the server itself report, so that transactions and pipelines behave as after a real one. */
export type Refusal = 'read-only' | 'disk-full' | 'out-of-memory' | 'deadlock' | 'not-serializable';

/** Something that a client sent and that makes sense by itself: one command, with all its messages. */
export interface Command {
  readonly bytes: Buffer;
  /** The SQL in it; empty when there is none, as in a log-in. */
  readonly sql: string;
}

/** What the proxy must understand of the protocol between a client and a database server. One for each connection. */
export interface Wire {
  /** Takes what arrived from the client and gives the commands that are complete. */
  read(chunk: Buffer): Command[];
  /** The same command, changed so that the server refuses it. */
  refused(command: Command, refusal: Refusal): Buffer;
  /** Whether the client has to speak before the server may turn it away. */
  readonly clientSpeaksFirst: boolean;
  /** What a server without a free connection answers. */
  readonly tooManyConnections: Buffer;
}

/** Cuts a stream into pieces of which the first bytes tell the length. */
export class Pieces {
  private rest: Buffer = Buffer.alloc(0);

  /** @param lengthOf of the piece that begins the buffer; undefined while that is unknown */
  take(chunk: Buffer, lengthOf: (rest: Buffer) => number | undefined): Buffer[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const pieces: Buffer[] = [];
    for (;;) {
      const length = lengthOf(this.rest);
      if (length === undefined || this.rest.length < length) return pieces;
      pieces.push(this.rest.subarray(0, length));
      this.rest = this.rest.subarray(length);
    }
  }
}
