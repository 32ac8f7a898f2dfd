import { Readable } from 'node:stream';
import { requireFewHeaders, requireSendable } from './sendable.js';

export type HeaderValue = string | readonly string[];
/** Text is sent in UTF-8. */
export type ResponseBody = string | Uint8Array | Readable;

type Header = readonly [name: string, value: HeaderValue];

/** A response ready to be sent. */
export interface PreparedResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers, in order. */
  readonly headers: readonly Header[];
  /** Content; absent: none. */
  readonly body?: ResponseBody;
}

/** Where responses go: the adapter's reply, or a stand-in for it. */
export interface ResponseTarget {
  /** True when something was sent, also by other code. */
  readonly isSent: boolean;
  /** Sends the response, once. */
  send(response: PreparedResponse): void | Promise<void>;
}

/** Responses that never have a body. */
const isBodyless = (status: number): boolean => status === 204 || status === 205 || status === 304;

/**
 * The response to one request, as the activities of a burst write it. It is sent when the burst is committed, so that no
 * client learns of what did not happen (W1); a burst that has to be repeated writes it anew.
 *
 * Empty → written (by the first write; its status and headers count) → sent. Content of later writes is appended.
 */
export class HttpResponseWriter {
  private status = 200;
  /** By name in lower case, in the order of their first writes. */
  private headers = new Map<string, Header>();
  private parts: ResponseBody[] = [];
  private written = false;

  /** @param onWritten called after each write, with its content, for who keeps what was written */
  constructor(
    private readonly target: ResponseTarget,
    private readonly onWritten?: (writer: HttpResponseWriter, body: ResponseBody | undefined) => void,
  ) {}

  /** True once an activity has written to it. */
  get isWritten(): boolean {
    return this.written;
  }

  /** True once its content has several parts, which `prepared` puts together. */
  get isAppended(): boolean {
    return this.parts.length > 1;
  }

  /** False for an answer whose status has no content, whatever is written. */
  get hasContent(): boolean {
    return !isBodyless(this.status);
  }

  /** True once the answer has gone out. */
  get isSent(): boolean {
    return this.target.isSent;
  }

  /**
   * Writes the answer, once. A stream that is not taken is closed: what it reads from may be held for it.
   * @returns false when part of it comes too late: the response is sent, or has its status and headers already
   * @throws UnsendableResponseError (`WM5013`)
   */
  write(response: PreparedResponse): boolean {
    const { length } = this.parts;
    let isTaken = false;
    try {
      if (this.isSent) return false;
      const isInTime = this.take(response);
      isTaken = true;
      return isInTime;
    } finally {
      if (!isTaken) {
        this.parts.length = length;
        closeStream(response.body);
      }
    }
  }

  private take({ status, headers, body }: PreparedResponse): boolean {
    const sendable = requireSendable(status, headers);
    const isLate = this.parts.length > 0;
    if (!isLate) {
      if (this.headers.size === 0) addHeaders(this.headers, sendable);
      else this.headers = withHeaders(this.headers, sendable);
      this.status = status;
    }
    if (body !== undefined) this.parts.push(body);
    this.written = true;
    this.onWritten?.(this, body);
    return !isLate;
  }

  /** As it would be sent now. A stream in it is not to be read. */
  get prepared(): PreparedResponse {
    if (isBodyless(this.status)) return { status: this.status, headers: [...this.headers.values()] };
    const stream = this.parts.find((part) => part instanceof Readable);
    return { status: this.status, headers: [...this.headers.values()], body: stream ?? this.body() };
  }

  /** Forgets what was written, unless it is sent. */
  reset(): void {
    if (this.isSent) return;
    this.discard();
    this.status = 200;
    this.headers.clear();
    this.written = false;
  }

  /** Sends what was written; 200 without content when nothing was. Does nothing when it is sent already. */
  send(): void | Promise<void> {
    if (this.isSent) return undefined;
    if (isBodyless(this.status)) {
      this.discard();
      this.headers.delete('content-type');
    }
    return this.target.send({ status: this.status, headers: [...this.headers.values()], body: this.body() });
  }

  private discard(): void {
    const parts = this.parts;
    this.parts = [];
    parts.forEach(closeStream);
  }

  private body(): ResponseBody | undefined {
    const { parts } = this;
    if (parts.length <= 1) return parts[0];
    return parts.some((part) => part instanceof Readable)
      ? // A client may leave before the second of them is begun.
        Readable.from(joined(parts)).once('close', () => parts.forEach(closeStream))
      : Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array)));
  }
}

/** Of content that is not sent: who offers a stream may hold a file for it until it is closed. */
export function closeStream(body: ResponseBody | undefined): void {
  if (body instanceof Readable) body.destroy();
}

/** With those of earlier writes, which have been counted by themselves. @throws UnsendableResponseError (`WM5013`) */
function withHeaders(headers: ReadonlyMap<string, Header>, added: readonly Header[]): Map<string, Header> {
  const all = new Map(headers);
  addHeaders(all, added);
  requireFewHeaders(all.values());
  return all;
}

/** One of a name: the last value, where the name stood first. */
function addHeaders(headers: Map<string, Header>, added: readonly Header[]): void {
  for (const header of added) headers.set(header[0].toLowerCase(), header);
}

async function* joined(parts: readonly ResponseBody[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Readable) yield* part as AsyncIterable<Uint8Array>;
    else yield Buffer.from(part as Uint8Array);
  }
}
