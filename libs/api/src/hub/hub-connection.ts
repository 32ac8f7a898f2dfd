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

/** As in the reference. */
const HANDSHAKE_MS = 15_000;
const SILENCE_MS = 30_000;
/** A connection that observes nothing is of no use. */
const USELESS_MS = 60_000;

/** Messages that a client may send at once, and how many come back each second. Clients send one in 15 seconds. */
const MOST_MESSAGES = 60;
const MESSAGES_PER_SECOND = 2;

/** What a connection can be asked for. */
export interface HubMethods {
  /** False: nothing is observed yet. */
  readonly isUsed: boolean;
  /** @throws an error whose message the client gets, if it has a code */
  call(target: string, args: readonly unknown[]): Promise<void>;
  /** The connection has ended. */
  end(): void;
}

/** One connection: greets, reads, answers, and ends it when it is silent, useless, too busy or no longer allowed. */
export class HubConnection {
  private phase: 'greeting' | 'open' | 'closed' = 'greeting';
  private readonly reader = new RecordReader();
  private readonly openedAt: number;
  private heardAt: number;
  private messages = MOST_MESSAGES;
  private messagesAt: number;
  /** Calls, one after the other. */
  private work: Promise<void> = Promise.resolve();
  private methods: HubMethods | undefined;

  constructor(
    readonly caller: HubCaller,
    private readonly wire: HubWire,
    private readonly clock: WorkflowClock,
    private readonly logger: WorkflowLogger,
  ) {
    this.openedAt = this.heardAt = this.messagesAt = clock.now();
  }

  serve(methods: HubMethods): void {
    this.methods = methods;
  }

  get isClosed(): boolean {
    return this.phase === 'closed';
  }

  /** Bytes that wait for the client to read them. */
  get waiting(): number {
    return this.wire.waiting;
  }

  send(text: string): void {
    if (this.phase === 'open') this.wire.send(text);
  }

  receive(text: string): void {
    if (this.isClosed) return;
    this.heardAt = this.clock.now();
    try {
      const records = this.reader.push(text);
      // What holds no whole message costs work as well: parts of one may be as short as a character.
      if (records.length === 0) this.count();
      for (const record of records) {
        this.count();
        if (this.phase === 'greeting') this.greet(record);
        else this.take(readMessage(record));
        if (this.isClosed) return;
      }
    } catch (error) {
      this.refuse(error);
    }
  }

  /** Called every few seconds. */
  beat(now: number): void {
    if (this.isClosed) return;
    if (this.phase === 'greeting') {
      if (now - this.openedAt >= HANDSHAKE_MS) this.refuse(new HubMessageError('The handshake has not come in time.'));
      return;
    }
    if (now - this.heardAt >= SILENCE_MS) return this.refuse(new HubMessageError('Nothing was heard for 30 seconds.'));
    if (!this.methods?.isUsed && now - this.openedAt >= USELESS_MS)
      return this.refuse(new HubMessageError('No instance has been observed for a minute.'));
    try {
      this.caller.check();
      this.wire.send(PING);
    } catch (error) {
      this.refuse(error);
    }
  }

  /** In peace: the client may come again. @param isAbrupt true: its farewell is not awaited */
  end(isAbrupt = false): void {
    if (this.isClosed) return;
    const last = this.phase === 'greeting' ? written({ error: 'The server ends.' }) : closing(undefined);
    this.close();
    this.wire.end(last, isAbrupt);
  }

  /** The wire is gone. */
  lost(): void {
    if (!this.isClosed) this.close();
  }

  private refuse(error: unknown): void {
    if (this.isClosed) return;
    const message = this.toldOf(error);
    const last = this.phase === 'greeting' ? written({ error: message }) : closing(message);
    this.close();
    this.wire.end(last, true);
  }

  private close(): void {
    this.phase = 'closed';
    this.methods?.end();
  }

  private count(): void {
    const now = this.clock.now();
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

  private greet(record: string): void {
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
      if (type !== MessageType.Invocation)
        throw new HubMessageError(`The method "${target}" has no stream of results.`);
      await this.methods?.call(target, args);
    } catch (reason) {
      error = this.toldOf(reason);
    }
    if (invocationId !== undefined) this.send(completion(invocationId, error));
  }

  /** Messages of Waymark name ids and say what to do; what is unexpected is for the log. */
  private toldOf(error: unknown): string {
    if (isWaymarkError(error)) return `${error.code}: ${error.message}`;
    this.logger.error(`The hub has failed: ${toErrorLike(error).message}`);
    return 'WM8000: An unexpected error occurred. The log of the server has the details.';
  }
}
