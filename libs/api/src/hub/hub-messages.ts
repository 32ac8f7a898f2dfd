import { parseJsonText, toErrorLike } from '@waymark/core/adapter';
import { HubMessageError } from '../answers/api-errors.js';
import { isObject } from '../requests/json-values.js';

// The JSON hub protocol of SignalR: each message is a JSON object followed by a record separator.

const RECORD_SEPARATOR = '\u001e';

/** Largest message of a client, in bytes: all that clients send are names and ids. */
export const MOST_MESSAGE_BYTES = 32 * 1024;
const LIMITS = { maxDepth: 16, maxValues: 1_000 };

export const MessageType = { Invocation: 1, Completion: 3, StreamInvocation: 4, Ping: 6, Close: 7 } as const;

/** A call by a client. */
export interface HubInvocation {
  readonly type: typeof MessageType.Invocation | typeof MessageType.StreamInvocation;
  readonly target: string;
  readonly arguments: readonly unknown[];
  /** Undefined: the client expects no completion. */
  readonly invocationId: string | undefined;
}

export type HubMessage = HubInvocation | { readonly type: number };

export const written = (message: object): string => `${JSON.stringify(message)}${RECORD_SEPARATOR}`;

export const PING = written({ type: MessageType.Ping });
export const HANDSHAKE_ANSWER = written({});

export const invocation = (target: string, argument: object): string =>
  invocationOfText(target, JSON.stringify(argument));

/** @param argument as JSON */
export const invocationOfText = (target: string, argument: string): string =>
  `{"type":${MessageType.Invocation},"target":${JSON.stringify(target)},"arguments":[${argument}]}${RECORD_SEPARATOR}`;

export const completion = (invocationId: string, error?: string): string =>
  written({ type: MessageType.Completion, invocationId, ...(error === undefined ? { result: null } : { error }) });

/** The last message of a connection. @param error undefined: it closes without one, and the client may reconnect */
export const closing = (error: string | undefined): string =>
  written({ type: MessageType.Close, ...(error === undefined ? { allowReconnect: true } : { error }) });

/** Splits what arrives, in pieces of any size, into records. */
export class RecordReader {
  private incomplete = '';

  /** @returns the records that are now complete @throws HubMessageError for a record above the limit */
  push(text: string): string[] {
    const parts = (this.incomplete + text).split(RECORD_SEPARATOR);
    this.incomplete = parts.pop()!;
    for (const part of [this.incomplete, ...parts])
      if (Buffer.byteLength(part) > MOST_MESSAGE_BYTES)
        throw new HubMessageError(`A message is larger than ${MOST_MESSAGE_BYTES} bytes.`);
    return parts;
  }
}

/** @throws HubMessageError for a protocol or version that is not supported */
export function readHandshake(record: string): void {
  const { protocol, version } = parsed(record);
  if (protocol !== 'json') throw new HubMessageError('This hub supports the protocol "json" only.');
  if (version !== 1) throw new HubMessageError('This hub supports version 1 of the protocol "json" only.');
}

/** @throws HubMessageError */
export function readMessage(record: string): HubMessage {
  const message = parsed(record);
  const { type, target, arguments: given = [], invocationId } = message;
  if (typeof type !== 'number') throw new HubMessageError("A message needs the member 'type', a number.");
  if (type !== MessageType.Invocation && type !== MessageType.StreamInvocation) return { type };
  if (typeof target !== 'string' || !Array.isArray(given))
    throw new HubMessageError("An invocation needs the members 'target', a name, and 'arguments', a list.");
  if (invocationId !== undefined && invocationId !== null && typeof invocationId !== 'string')
    throw new HubMessageError("The 'invocationId' of an invocation must be a string.");
  return { type, target, arguments: given, invocationId: invocationId ?? undefined };
}

function parsed(record: string): Readonly<Record<string, unknown>> {
  let json: unknown;
  try {
    json = parseJsonText(record, LIMITS);
  } catch (error) {
    throw new HubMessageError(`A message cannot be read: ${toErrorLike(error).message}`, { cause: error });
  }
  if (!isObject(json)) throw new HubMessageError('A message must be a JSON object.');
  return json;
}
