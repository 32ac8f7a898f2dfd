import type { ServerResponse } from 'node:http';
import type { CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { whenClosed } from './when-closed.js';

/** A client may fall behind for so long in any case: connections pause. */
const GRACE_MS = 30_000;
const LOOK_MS = 5_000;

interface Reading {
  /** What its connection had sent before, in bytes. Undefined: the response waits for others on the same connection. */
  sentBefore: number | undefined;
  /** How long something has waited for the client. */
  behindMs: number;
  readonly beganAt: number;
}

/**
 * Ends the connections of clients that read their answers too slowly. What such a client has not read stays in memory, and Node
 * waits for it without an end.
 *
 * 1. Only time in which something waits for the client counts: a stream may take as long as it takes to be made.
 * 2. That time may be 30 s, and one second more for so many bytes that the client was sent. So an answer of known length has an
 *    end by which it is read, and a stream may continue as long as the client keeps up.
 * 3. All that waits may take so much memory. Beyond it, those go first that have read least for their time, and of those the
 *    oldest: clients that ask and never read would end the process before their time is over, and must not end the downloads of
 *    those who read. The last one stays, whatever it takes.
 * @internal
 */
export class SlowReaders {
  private readonly readings = new Map<ServerResponse, Reading>();
  private cancelLook: CancelTimer | undefined;
  private lookedAt = 0;
  /** No less than what waits. */
  private mostWaiting = 0;
  private isClosed = false;

  /**
   * @param bytesPerSecond that a client has to read
   * @param limitBytes of what waits for all of them
   */
  constructor(
    private readonly clock: WorkflowClock,
    private readonly bytesPerSecond: number,
    private readonly limitBytes = Infinity,
  ) {}

  /** Of which something may wait for its client. */
  get size(): number {
    return this.readings.size;
  }

  /** To be called when the answer was handed to the response, or is about to be. Costs nothing where all of it has gone out. */
  watch(response: ServerResponse): void {
    if (this.isClosed || response.destroyed || isSent(response) || this.readings.has(response)) return;
    this.readings.set(response, { sentBefore: sentBy(response), behindMs: 0, beganAt: this.clock.monotonic() });
    whenClosed(response, () => this.forget(response));
    this.mostWaiting += response.writableLength;
    this.makeRoom();
    if (this.cancelLook) return;
    this.lookedAt = this.clock.monotonic();
    this.lookLater();
  }

  /**
   * To be called when the server is closed. A response that never says that it was closed, as those of Fastify's `inject()`, would
   * keep the process alive.
   */
  close(): void {
    this.isClosed = true;
    this.readings.clear();
    this.stopLooking();
  }

  private forget(response: ServerResponse): void {
    this.readings.delete(response);
    if (this.readings.size === 0) this.stopLooking();
  }

  private stopLooking(): void {
    this.cancelLook?.();
    this.cancelLook = undefined;
  }

  private lookLater(): void {
    this.cancelLook = this.clock.setTimer(() => this.look(), LOOK_MS, { isPoll: true });
  }

  private look(): void {
    this.cancelLook = undefined;
    const now = this.clock.monotonic();
    // A step of the clock, or a process that stood still, is not the client's delay.
    const passedMs = Math.min(Math.max(0, now - this.lookedAt), 2 * LOOK_MS);
    this.lookedAt = now;
    for (const [response, reading] of this.readings)
      if (response.destroyed || isSent(response)) this.readings.delete(response);
      else if (this.isTooSlow(response, reading, passedMs)) response.destroy();
    this.mostWaiting = Infinity;
    this.makeRoom();
    if (this.readings.size > 0 && !this.cancelLook) this.lookLater();
  }

  private makeRoom(): void {
    if (this.mostWaiting <= this.limitBytes) return;
    const waiting = [...this.readings].filter(([{ destroyed, writableLength }]) => !destroyed && writableLength > 0);
    let bytes = waiting.reduce((sum, [{ writableLength }]) => sum + writableLength, 0);
    const bySpeed = waiting
      .slice(0, -1)
      .map(([response, reading]) => ({ response, speed: this.speedOf(response, reading) }))
      .sort((a, b) => a.speed - b.speed);
    for (const { response } of bySpeed) {
      if (bytes <= this.limitBytes) break;
      bytes -= response.writableLength;
      response.destroy();
    }
    this.mostWaiting = bytes;
  }

  /** Bytes that the client has taken, by the millisecond. */
  private speedOf(response: ServerResponse, reading: Reading): number {
    // Where its connection has sent other responses before, those do not count.
    reading.sentBefore ??= sentBy(response);
    const sent = (sentBy(response) ?? 0) - (reading.sentBefore ?? 0);
    return sent / Math.max(1, this.clock.monotonic() - reading.beganAt);
  }

  private isTooSlow(response: ServerResponse, reading: Reading, passedMs: number): boolean {
    const { socket } = response;
    if (!socket) return false;
    reading.sentBefore ??= sentBy(response);
    if (response.writableLength > 0) reading.behindMs += passedMs;
    // With what waits: progress within one large chunk is not seen.
    const bytes = socket.bytesWritten - (reading.sentBefore ?? 0);
    return reading.behindMs > GRACE_MS + (bytes / this.bytesPerSecond) * 1000;
  }
}

const isSent = (response: ServerResponse): boolean => response.writableEnded && response.writableLength === 0;

/** What the system has taken of what its connection has to send. */
function sentBy({ socket }: ServerResponse): number | undefined {
  return socket ? socket.bytesWritten - socket.writableLength : undefined;
}
