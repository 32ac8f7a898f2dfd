import { isWaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { storeFaultAnswer, type StoreFaultAnswer } from '@waymark/runtime/adapter';
import { GENERAL, SERIALIZER, type MemberErrors } from './api-errors.js';

/** The response to a failed request. Without a body it has no content type either. */
export interface ErrorAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Elsa's envelope for everything that is wrong with a request. */
export const problem = (errors: MemberErrors): ErrorAnswer => ({
  status: 400,
  headers: { 'Content-Type': 'application/problem+json' },
  body: { statusCode: 400, message: 'One or more errors occurred!', errors },
});

const general = (...messages: string[]): ErrorAnswer => problem({ [GENERAL]: messages });
const storeFault = ({ status, retryAfter, body }: StoreFaultAnswer): ErrorAnswer =>
  retryAfter === undefined ? { status, body } : { status, body, headers: { 'Retry-After': retryAfter } };
const refused =
  (status: number, headers?: ErrorAnswer['headers']): Answering =>
  ({ code, message }) => ({ status, ...(headers && { headers }), body: { code, message } });
const conflict = refused(409);
const conflictWithMembers: Answering = ({ code, message, members }) => ({
  status: 409,
  body: { ...members, code, message },
});
/** @param seconds until the next attempt, where the error does not know */
const later =
  (status: 429 | 503, seconds: number): Answering =>
  ({ code, message, retryAfterSeconds = seconds }) => ({
    status,
    headers: { 'Retry-After': String(retryAfterSeconds) },
    body: { code, message },
  });

interface CodedError {
  readonly code: string;
  readonly message: string;
}

/** Members that some errors have; matched by code, not by class, so a second copy of a package does no harm. */
interface ErrorDetails {
  readonly key?: string;
  readonly errors?: MemberErrors;
  readonly challenge?: string;
  readonly retryAfterSeconds?: number;
  readonly problems?: readonly { readonly message: string }[];
  readonly definitionId?: string;
  readonly reason?: unknown;
  readonly members?: object;
}

type Answering = (error: CodedError & ErrorDetails) => ErrorAnswer;

const formatError: Answering = ({ key, message }) => problem({ [key || SERIALIZER]: [message] });
const badRequest: Answering = ({ message }) => general(message);

/** By code. Codes that are not listed are faults of the server: 500. */
const ANSWERS: Readonly<Record<string, Answering>> = {
  // Definitions: the JSON, then their life cycle.
  WM1001: formatError,
  WM1002: formatError,
  WM1003: formatError,
  WM1020: refused(404),
  WM1021: ({ definitionId, message }) =>
    general(definitionId === undefined ? message : `Workflow with id ${definitionId} is not published`),
  WM1022: refused(403),
  WM1023: ({ problems, message }) => general(...(problems?.map((p) => p.message) ?? [message])),
  WM1024: refused(413),
  WM1056: refused(413),
  WM1060: refused(413),
  // Values that do not fit.
  WM1036: badRequest,
  WM1042: badRequest,
  WM1057: badRequest,
  // Lists.
  WM1065: badRequest,
  WM1066: badRequest,
  WM1101: badRequest,
  WM1102: badRequest,
  WM1103: badRequest,
  WM1104: badRequest,
  WM1105: badRequest,
  // Waiting for results.
  WM1037: refused(504),
  WM1038: conflict,
  WM1041: refused(404),
  // Bursts: the instance has ended, the bookmark is gone, no such activity.
  WM2020: conflict,
  WM2021: conflict,
  WM2022: badRequest,
  // Try-outs.
  WM5090: conflict,
  // Tasks for people.
  WM2070: refused(404),
  WM2071: refused(403),
  WM2072: conflict,
  WM2073: conflict,
  WM2074: ({ errors, message }) => problem(errors ?? { [GENERAL]: [message] }),
  WM2075: badRequest,
  WM2076: conflict,
  WM2078: badRequest,
  // Another node has the code of that version, or will have it.
  WM2040: later(503, 1),
  // A newer node can read it.
  WM2053: later(503, 1),
  // Instances.
  WM3001: refused(404),
  WM3002: conflict,
  WM3003: conflict,
  WM3004: refused(404),
  // Draining: the rest of a body may still come, and nothing more is served on that connection.
  WM3005: (error) => {
    const answer = later(503, 5)(error);
    return error.reason === 'draining' ? { ...answer, headers: { ...answer.headers, Connection: 'close' } } : answer;
  },
  WM3009: conflict,
  WM3010: conflict,
  WM3011: conflict,
  WM3012: conflict,
  WM3043: conflict,
  WM3044: conflict,
  WM3045: conflict,
  // Bodies. The rest of one with a known length is discarded, so the connection stays open.
  WM5019: refused(400, { Connection: 'close' }),
  WM5064: refused(408, { Connection: 'close' }),
  WM5069: later(503, 1),
  // Memory for large answers.
  WM5080: later(503, 1),
  // Schedules.
  WM4030: refused(404),
  WM4031: conflict,
  WM4032: conflict,
  WM4033: badRequest,
  WM4034: refused(501),
  WM6031: badRequest,
  WM6032: badRequest,
  WM6033: conflict,
  // The store: another writer was first.
  WM7001: conflict,
  WM7002: conflict,
  WM7003: conflict,
  WM7004: conflict,
  WM7005: conflict,
  WM7006: badRequest,
  WM7007: conflict,
  WM7008: badRequest,
  WM7017: refused(413),
  WM7023: conflict,
  WM7043: refused(412),
  WM5022: refused(415, { 'Accept-Encoding': 'identity', Connection: 'close' }),
  // The API itself.
  WM8001: ({ errors, message }) => problem(errors ?? { [GENERAL]: [message] }),
  WM8002: refused(415),
  WM8003: refused(404),
  WM8004: ({ code, message, challenge }) => ({
    status: 401,
    headers: { 'WWW-Authenticate': challenge ?? 'Bearer' },
    body: { code, message },
  }),
  WM8005: refused(403),
  WM8006: refused(413, { Connection: 'close' }),
  WM8007: conflictWithMembers,
  WM8010: conflictWithMembers,
  WM8011: later(429, 1),
  WM8025: later(503, 5),
  WM9080: later(503, 5),
  WM9081: badRequest,
};

/** The answer to an error that Waymark threw on purpose; `undefined` for all others. */
export function answerOf(error: unknown): ErrorAnswer | undefined {
  if (!isWaymarkError(error)) return undefined;
  const fault = storeFaultAnswer(error);
  if (fault) return storeFault(fault);
  const { code } = error;
  const answering = Object.hasOwn(ANSWERS, code) ? ANSWERS[code] : undefined;
  // Messages of Waymark name ids and say what to do; they hold no secrets.
  return answering ? answering(error) : { status: 500, body: { code, message: error.message } };
}

/** The answer to an unexpected error. Details go to the log only. */
export const UNEXPECTED = {
  status: 500,
  body: { code: 'WM8000', message: 'An unexpected error occurred. The log of the server has the details.' },
} as const satisfies ErrorAnswer;

/** What a client may read of an error within an answer. `isShown` is false where it is not the error's own text. */
export function shownError(error: unknown): {
  readonly code: string;
  readonly message: string;
  readonly isShown: boolean;
} {
  const fault = storeFaultAnswer(error);
  if (fault) return { ...fault.body, isShown: false };
  if (!isWaymarkError(error)) return { ...UNEXPECTED.body, isShown: false };
  return { code: error.code, message: error.message, isShown: true };
}

/** An error of Nest itself, thrown by a guard or pipe of the host. */
export function answerOfHttpStatus(status: number, error: unknown): ErrorAnswer {
  if (status === 400) return general(toErrorLike(error).message);
  if (status < 500) return { status };
  return { ...UNEXPECTED, status };
}
