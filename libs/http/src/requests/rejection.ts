import { isWaymarkError, type WaymarkError } from '@waymark/core';
import type { BodyMemoryError } from '@waymark/runtime/adapter';
import type { PreparedResponse } from '../responses/http-response-writer.js';

/** Outcomes for requests that break a rule, if the endpoint exposes them. */
export const RejectionOutcome = {
  RequestTooLarge: 'Request too large',
  FileTooLarge: 'File too large',
  InvalidFileExtension: 'Invalid file extension',
  InvalidFileMimeType: 'Invalid file MIME type',
} as const;
export type RejectionOutcome = (typeof RejectionOutcome)[keyof typeof RejectionOutcome];

/** Why an endpoint refuses a request. */
export interface Rejection {
  /** Outcome by which a workflow may handle it. Missing: none can. */
  readonly outcome?: RejectionOutcome;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** If true, part of the body is not read, so the connection cannot be used again. */
  readonly isUnread?: boolean;
  readonly headers?: PreparedResponse['headers'];
  readonly retryAfterSeconds?: number;
}

/** The messages of limits are those that clients of the reference know; what to do about it stands beside them. */
export const requestTooLarge = (limit: number): Rejection => ({
  outcome: RejectionOutcome.RequestTooLarge,
  status: 413,
  body: {
    code: 'WM5067',
    message: `The maximum request size allowed is ${limit} bytes.`,
    hint: "Send less, or raise 'requestSizeLimit' of the endpoint, or the host's 'http.defaultBodyBytes', 'http.bodyBytes' or 'http.uploadBytes'.",
  },
  isUnread: true,
});

export const fileTooLarge = (limit: number): Rejection => ({
  outcome: RejectionOutcome.FileTooLarge,
  status: 413,
  body: {
    code: 'WM5067',
    message: `The maximum file size allowed is ${limit} bytes.`,
    hint: "Send a smaller file, or raise 'fileSizeLimit' of the endpoint.",
  },
});

/** @param error says what the client can do */
export const hasCoding = ({ code, message }: WaymarkError): Rejection => ({
  status: 415,
  body: { code, message },
  headers: [['Accept-Encoding', 'identity']],
  isUnread: true,
});

/** @param error says what the client can do */
const tooSlow = ({ code, message }: WaymarkError): Rejection => ({
  status: 408,
  body: { code, message },
  isUnread: true,
});

/** @param error says what the client can do */
const inPieces = ({ code, message }: WaymarkError): Rejection => ({
  status: 400,
  body: { code, message },
  isUnread: true,
});

/** Of a body that did not arrive before the host shut down. */
const shuttingDown = ({ code, message }: WaymarkError): Rejection => ({
  status: 503,
  body: { code, message },
  isUnread: true,
  retryAfterSeconds: 5,
});

/** @param isAnnounced the length of the body is known, so its rest is discarded and the connection stays open */
const noMemory = ({ code, message, retryAfterSeconds }: BodyMemoryError, isAnnounced: boolean): Rejection => ({
  status: 503,
  body: { code, message },
  isUnread: !isAnnounced,
  retryAfterSeconds,
});

/** The rejection for an error that ended the reading of a body; undefined for other errors. @param isAnnounced as in `noMemory` */
export function unreadBody(error: unknown, isAnnounced = false): Rejection | undefined {
  if (isWaymarkError(error, 'WM5064')) return tooSlow(error);
  if (isWaymarkError(error, 'WM5019')) return inPieces(error);
  if (isWaymarkError(error, 'WM3005')) return shuttingDown(error);
  if (isWaymarkError(error, 'WM5069')) return noMemory(error as BodyMemoryError, isAnnounced);
  return isWaymarkError(error, 'WM5066') ? noRoom(error, isAnnounced) : undefined;
}

export const noRoom = ({ code, message }: WaymarkError, isAnnounced: boolean): Rejection => ({
  status: 503,
  body: { code, message },
  isUnread: !isAnnounced,
});

export function rejectionResponse(rejection: Rejection): PreparedResponse {
  const { status, body, isUnread, retryAfterSeconds } = rejection;
  const headers = [...(rejection.headers ?? [])];
  if (isUnread) headers.push(['Connection', 'close']);
  if (retryAfterSeconds !== undefined) headers.push(['Retry-After', String(retryAfterSeconds)]);
  return jsonResponse(status, body, headers);
}

export function jsonResponse(
  status: number,
  body: unknown,
  headers: PreparedResponse['headers'] = [],
  contentType = 'application/json; charset=utf-8',
): PreparedResponse {
  return { status, headers: [...headers, ['Content-Type', contentType]], body: Buffer.from(JSON.stringify(body)) };
}
