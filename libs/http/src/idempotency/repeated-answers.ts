import type { WorkflowExecutionContext } from '@waymark/core';
import { EncryptedValue, type ValueCipher } from '@waymark/core/adapter';
import type { KeptRequest, LostAnswer, StoredAnswer } from '../pending/kept-requests.js';
import { AnswerNotKeptError, type NotKeptReason } from '../pending/pending-errors.js';
import { holdsCredential, repeatableAnswer, storableAnswer } from '../pending/store-answer.js';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';

type Taker = Pick<WorkflowExecutionContext, 'id' | 'secrets' | 'engine'>;

const placeOf = (instanceId: string, token: string): string => `answer ${token} of instance ${instanceId}`;

/**
 * What an instance keeps of the answer to a request that may come again. One with a credential is kept encrypted where the host
 * has keys: in clear it would be for all who read the database. Otherwise a note is left of how the request was answered, and why a
 * repetition is not answered so.
 * @param token hash of the token of the request
 */
export function keptAnswer(
  prepared: PreparedResponse,
  taker: Taker,
  token: string,
  maxBytes: number,
): Pick<KeptRequest, 'answer' | 'sealed' | 'isLost' | 'lost'> {
  try {
    const answer = repeatableAnswer(prepared, taker, maxBytes);
    if (!holdsCredential(prepared, taker)) return { answer };
    const { cipher } = taker.engine;
    if (!cipher) return lostAnswer('credential', prepared, taker);
    const sealed = cipher.encrypt(JSON.stringify(answer), placeOf(taker.id, token));
    // To nodes that do not know encrypted answers it is lost.
    return { sealed, ...lostAnswer('credential', prepared, taker) };
  } catch (error) {
    if (error instanceof AnswerNotKeptError) return lostAnswer(error.reason, prepared, taker);
    throw error;
  }
}

/** The answer as the state of an instance keeps it, or a note of why it does not. @param maxBytes as `http.maxKeptAnswerBytes` */
export function storedOrLost(
  prepared: PreparedResponse,
  taker: Taker,
  maxBytes: number,
): Pick<KeptRequest, 'answer' | 'isLost' | 'lost'> {
  try {
    return { answer: storableAnswer(prepared, taker, maxBytes) };
  } catch (error) {
    if (error instanceof AnswerNotKeptError) return lostAnswer(error.reason, prepared, taker);
    throw error;
  }
}

function lostAnswer(
  reason: NotKeptReason,
  { status, headers }: PreparedResponse,
  { secrets }: Taker,
): { readonly isLost: true; readonly lost: LostAnswer } {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const isShown = typeof location === 'string' && secrets.shown(location) === location;
  return { isLost: true, lost: { reason, status, ...(isShown && { location }) } };
}

/** Undefined: it is not encrypted, or by a key that this host does not have any more. */
export function openedAnswer(
  { sealed, token }: KeptRequest,
  instanceId: string,
  cipher: ValueCipher | undefined,
): StoredAnswer | undefined {
  // An instance that was imported has a text in its place.
  if (!(sealed instanceof EncryptedValue) || !cipher) return undefined;
  try {
    return JSON.parse(cipher.decrypt(sealed, placeOf(instanceId, token))) as StoredAnswer;
  } catch {
    return undefined;
  }
}

/**
 * What an instance keeps of requests, with its answers encrypted by the current key.
 * @param value of the property `KEPT_REQUESTS`
 * @throws WaymarkError `WM3044`, `WM3045`: an answer cannot be read
 */
export function renewedAnswers(value: unknown, instanceId: string, cipher: ValueCipher): unknown {
  if (!Array.isArray(value)) return value;
  return (value as KeptRequest[]).map((request) => {
    const { sealed, token } = request;
    // An instance that was imported has a text in its place.
    if (!(sealed instanceof EncryptedValue)) return request;
    const place = placeOf(instanceId, token);
    return { ...request, sealed: cipher.encrypt(cipher.decrypt(sealed, place), place) };
  });
}

const WHY: Readonly<Record<NotKeptReason, string>> = {
  credential: 'it contains a credential, which this server does not store',
  'no-store': 'it has Cache-Control: no-store',
  size: 'it exceeds the size that this server keeps',
  stream: 'it was sent as a stream',
};

/** The answer to a repetition by a caller with other credentials: the first one's may be for its eyes only. */
export const OTHER_CALLER = jsonResponse(409, {
  code: 'WM5046',
  message:
    'A request with this Idempotency-Key was already processed for a caller with other credentials, and its answer is not shown. ' +
    'This request started nothing. Send a new key to start again.',
  reason: 'other-caller',
});

/** The answer to a repetition where that of the first request is not there. @param lost undefined: it is gone, and so is the reason */
export function forgottenAnswer(lost?: LostAnswer): PreparedResponse {
  const code = 'WM5046';
  if (!lost)
    return jsonResponse(409, {
      code,
      message:
        'A request with this Idempotency-Key was already processed, and its answer is not kept. This request started nothing.',
    });
  const { reason, status, location } = lost;
  const message =
    `A request with this Idempotency-Key was answered with ${status}, and that answer is not kept: ${WHY[reason] ?? reason}. ` +
    'This request started nothing. Look up the result of the first one in the application, or send a new key to start again.';
  return jsonResponse(409, { code, message, reason, status, ...(location !== undefined && { location }) });
}
