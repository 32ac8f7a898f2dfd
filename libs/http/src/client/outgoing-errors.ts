import { WaymarkError } from '@waymark/core';
import { DEFAULT_REDACTION, redactUrls } from '@waymark/core/adapter';

/** Errors are logged where no option is at hand: a URL is shown without its password and its sensitive parameters. */
export const shownUrl = (url: string): string => redactUrls(url, DEFAULT_REDACTION.isSensitive);

/** Thrown when a server cannot be reached, or the connection breaks before its answer is complete. */
export class ConnectionFailedError extends WaymarkError {
  readonly code = 'WM5010';
  /** URL of the request, without secrets. */
  readonly url: string;
  constructor(
    /** Method of the request. */
    readonly method: string,
    url: string,
    cause: unknown,
  ) {
    const reason = (cause as { code?: string; message?: string } | undefined) ?? {};
    super(
      `${method} ${shownUrl(url)} failed to connect: ${[reason.code, reason.message].filter(Boolean).join(' ') || 'unknown reason'}.`,
      { cause },
    );
    this.url = shownUrl(url);
  }
}

/** Thrown when the answer to an outgoing request takes too long. */
export class OutgoingTimeoutError extends WaymarkError {
  readonly code = 'WM5011';
  /** URL of the request, without secrets. */
  readonly url: string;
  constructor(
    /** Method of the request. */
    readonly method: string,
    url: string,
    /** How long it was waited, in milliseconds. */
    readonly timeoutMs: number,
  ) {
    super(`${method} ${shownUrl(url)} was not answered within ${timeoutMs} ms.`);
    this.url = shownUrl(url);
  }
}

/** The answer is larger than this host reads: it would fill the memory of the process. */
export class ResponseTooLargeError extends WaymarkError {
  readonly code = 'WM5014';
  /** URL of the request, without secrets. */
  readonly url: string;
  constructor(
    readonly method: string,
    url: string,
    readonly maxBytes: number,
    option: ByteLimit['option'],
  ) {
    super(
      `${method} ${shownUrl(url)} was answered with more than ${maxBytes} bytes. Request less data, or raise the option 'http.${option}'.`,
    );
    this.url = shownUrl(url);
  }
}

/** An answer comes in too many pieces of a few bytes each, or behind too many interim answers: each costs as much work as many kilobytes. */
export class ResponseInPiecesError extends WaymarkError {
  readonly code = 'WM6082';
  /** URL of the request, without secrets. */
  readonly url: string;
  constructor(
    /** Method of the request. */
    readonly method: string,
    url: string,
    what: string,
  ) {
    super(
      `${method} ${shownUrl(url)} was answered with ${what}. The connection was closed; correct the server, so that it sends larger chunks.`,
    );
    this.url = shownUrl(url);
  }
}

/** Thrown when a server does not answer with the file that is to be sent on. */
export class FileNotFetchedError extends WaymarkError {
  readonly code = 'WM5021';
  /** URL of the file, without secrets. */
  readonly url: string;
  constructor(
    url: string,
    /** Status of the answer. */
    readonly status: number,
  ) {
    super(
      `The file at ${shownUrl(url)} was not fetched: its server answered ${status}. Correct the URL, or fetch it with DownloadHttpFile, ` +
        'which has an outcome for that.',
    );
    this.url = shownUrl(url);
  }
}

/** Thrown when the content of an answer cannot be decompressed, or is cut off. */
export class ContentCodingError extends WaymarkError {
  readonly code = 'WM5048';
  /** URL of the request, without secrets. */
  readonly url: string;
  constructor(
    /** Method of the request. */
    readonly method: string,
    url: string,
    cause: Error,
  ) {
    super(
      `${method} ${shownUrl(url)}: the content of the answer is not compressed as its Content-Encoding says, or is cut off (${cause.message}). ` +
        "Correct the server, or send the header 'Accept-Encoding: identity', for content that is not compressed.",
      { cause },
    );
    this.url = shownUrl(url);
  }
}

/** Of an answer, and the option that sets it. */
export interface ByteLimit {
  readonly bytes: number;
  readonly option: 'maxResponseBytes' | 'maxDownloadBytes';
}

/**
 * Thrown when the options of the host do not allow requests to an address. The message does not say to which address a name was
 * resolved.
 */
export class OutgoingAddressRefusedError extends WaymarkError {
  readonly code = 'WM5030';
  constructor(
    /** The host that was asked for. */
    readonly host: string,
  ) {
    super(
      `Requests to '${host}' are refused: it is, or resolves to, an address that is not public. To allow it, set the option 'http.outgoing.allow' of the host.`,
    );
  }
}

/** Thrown for a request that cannot be sent because its description is invalid. */
export class InvalidOutgoingRequestError extends WaymarkError {
  readonly code = 'WM5012';
}
