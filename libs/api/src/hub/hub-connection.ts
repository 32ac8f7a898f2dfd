import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import type { WorkflowClock } from '@waymark/runtime';
import type { WorkflowLogger } from '@waymark/runtime/adapter';
import { HubMessageError } from '../answers/api-errors.js';
import type { HubCaller } from './hub-access.js';
import {
  closing,
  completion,
  HANDSHAKE_ANSWER,
  type HubInvocation,
  type HubMessage,
  MessageType,
  PING,
  readHandshake,
  readMessage,
  RecordReader,
  written,
} from './hub-messages.js';
import type { HubWire } from './hub-wire.js';

/** As in Elsa. */
const HANDSHAKE_MS = 15_000;
const SILENCE_MS = 30_000;
/** A connection that observes nothing by then is closed. */
const UNUSED_MS = 60_000;

/** Token bucket for the messages of a client: its size, and how many are added each second. Clients send one in 15 seconds. */
const MOST_MESSAGES = 60;
const MESSAGES_PER_SECOND = 2;

/** The methods of the hub, for one connection. */
export interface HubMethods {
  /** If false, the client observes nothing yet. */
  readonly isUsed: boolean;
  /** @throws WaymarkError, whose message is sent to the client; of other errors it learns nothing */
  call(target: string, args: readonly unknown[]): Promise<void>;
  /** The connection has ended. */
  end(): void;
}

/**
 * The SignalR protocol on one connection: handshake, pings, calls. Ends it when the client is silent, observes nothing, sends too
 * many messages, or loses its permission.
 */
export class HubConnection {
  private phase: 'handshake' | 'open' | 'closed' = 'handshake';
  private readonly reader = new RecordReader();
  private readonly openedAt: number;
  private heardAt: number;
  private messages = MOST_MESSAGES;
  private messagesAt: number;
  /** Calls are served one after the other. */
  private work: Promise<void> = Promise.resolve();
  private methods: HubMethods | undefined;

  constructor(
    readonly caller: HubCaller,
    private readonly wire: HubWire,
    private readonly clock: WorkflowClock,
    private readonly logger: WorkflowLogger,
  ) {
    this.openedAt = this.heardAt = this.messagesAt = clock.monotonic();
  }

  serve(methods: HubMethods): void {
    this.methods = methods;
  }

  get isClosed(): boolean {
    return this.phase === 'closed';
  }

  /** Bytes that are buffered until the client reads them. */
  get waiting(): number {
    return this.wire.waiting;
  }

  send(text: string): void {
    if (this.phase === 'open') this.wire.send(text);
  }

  receive(text: string): void {
    if (this.isClosed) return;
    this.heardAt = this.clock.monotonic();
    try {
      const records = this.reader.push(text);
      // What holds no whole message costs work as well: parts of one may be as short as a character.
      if (records.length === 0) this.count();
      for (const record of records) {
        this.count();
        if (this.phase === 'handshake') this.shakeHands(record);
        else this.take(readMessage(record));
        if (this.isClosed) return;
      }
    } catch (error) {
      this.refuse(error);
    }
  }

  /**
   * Counts a frame of the transport that holds no message, such as a ping: each costs work as well, and a client may send
   * hundreds of thousands in one turn of the event loop.
   * @returns false: the connection is closed
   */
  countFrame(): boolean {
    if (this.isClosed) return false;
    try {
      this.count();
    } catch (error) {
      this.refuse(error);
    }
    return !this.isClosed;
  }

  /** Called every few seconds. */
  beat(now: number): void {
    if (this.isClosed) return;
    if (this.phase === 'handshake') {
      if (now - this.openedAt >= HANDSHAKE_MS)
        this.refuse(new HubMessageError('The handshake did not arrive in time.'));
      return;
    }
    if (now - this.heardAt >= SILENCE_MS) return this.refuse(new HubMessageError('No message arrived for 30 seconds.'));
    if (!this.methods?.isUsed && now - this.openedAt >= UNUSED_MS)
      return this.refuse(new HubMessageError('No instance has been observed for a minute.'));
    try {
      this.caller.check();
      this.wire.send(PING);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Closes without an error: the client may reconnect. @param isAbrupt true: does not wait for the close handshake */
  end(isAbrupt = false): void {
    if (this.isClosed) return;
    const last = this.phase === 'handshake' ? written({ error: 'The server is shutting down.' }) : closing(undefined);
    this.close();
    this.wire.end(last, isAbrupt);
  }

  /** The transport has closed. */
  lost(): void {
    if (!this.isClosed) this.close();
  }

  private refuse(error: unknown): void {
    if (this.isClosed) return;
    const message = this.messageOf(error);
    const last = this.phase === 'handshake' ? written({ error: message }) : closing(message);
    this.close();
    this.wire.end(last, true);
  }

  private close(): void {
    this.phase = 'closed';
    this.methods?.end();
  }

  private count(): void {
    const now = this.clock.monotonic();
    this.messages = Math.min(
      MOST_MESSAGES,
      this.messages + (Math.max(0, now - this.messagesAt) / 1000) * MESSAGES_PER_SECOND,
    );
    this.messagesAt = now;
    if (--this.messages < 0)
      throw new HubMessageError(
        `More than ${MOST_MESSAGES} messages came at once, and ${MESSAGES_PER_SECOND} a second.`,
      );
  }

  private shakeHands(record: string): void {
    readHandshake(record);
    this.phase = 'open';
    this.wire.send(HANDSHAKE_ANSWER);
  }

  private take(message: HubMessage): void {
    if (message.type === MessageType.Close) return this.end();
    if ('target' in message) this.work = this.work.then(() => this.serveCall(message));
  }

  private async serveCall({ type, target, arguments: args, invocationId }: HubInvocation): Promise<void> {
    if (this.isClosed) return;
    let error: string | undefined;
    try {
      this.caller.check();
      if (type !== MessageType.Invocation) throw new HubMessageError(`The method "${target}" does not stream results.`);
      await this.methods?.call(target, args);
    } catch (reason) {
      error = this.messageOf(reason);
    }
    if (invocationId !== undefined) this.send(completion(invocationId, error));
  }

  /** What the client learns of an error; details of an unexpected one go to the log only. */
  private messageOf(error: unknown): string {
    if (isWaymarkError(error)) return `${error.code}: ${error.message}`;
    this.logger.error(`The hub failed: ${toErrorLike(error).message}`, toErrorLike(error).stack);
    return 'WM8000: An unexpected error occurred. The log of the server has the details.';
  }
}
