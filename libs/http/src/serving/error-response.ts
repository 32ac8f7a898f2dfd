import { isWaymarkError, type WaymarkError } from '@waymark/core';
import { BookmarkConsumedError, isStoreOutage, storeFaultAnswer } from '@waymark/runtime/adapter';
import { type StoredBookmark } from '@waymark/runtime';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';

/** Seconds after which a client may try again. */
const RETRY_AFTER = { draining: '5', paused: '60', elsewhere: '1' };

/** What a refusal of the runtime means to a client; undefined for errors that no client is to read. */
export function errorResponse(error: unknown): PreparedResponse | undefined {
  if (!isWaymarkError(error)) return undefined;
  switch (error.code) {
    // RuntimeNotAcceptingWorkError
    case 'WM3005': {
      const { reason } = error as { reason?: keyof typeof RETRY_AFTER } & Error;
      return { status: 503, headers: [['Retry-After', RETRY_AFTER[reason ?? 'paused']]] };
    }
    // An instance id, correlation id or key of the request that cannot be stored.
    case 'WM1103':
    case 'WM5020':
      return coded(400, error);
    // What the request brings leaves no room in the state.
    case 'WM7017':
      return coded(413, error);
    // The definition, instance or bookmark of a trigger went away since it was looked up.
    case 'WM1020':
    case 'WM3001':
    case 'WM3003':
    case 'WM3004':
      return coded(404, error);
    // An instance has that id already; another request, or another node, was faster; the activation strategy refused.
    case 'WM3002':
    case 'WM7001':
    case 'WM7002':
    case 'WM7004':
    case 'WM7005':
      return coded(409, error);
    // This node has not the code of the instance, or is too old to read it: another one can, or will.
    case 'WM2040':
    case 'WM2053': {
      const { code, message } = error;
      return jsonResponse(503, { code, message }, [['Retry-After', RETRY_AFTER.elsewhere]]);
    }
    // This host lacks the key: another one, or this one later, may have it.
    case 'WM3043':
    case 'WM3044':
      return coded(503, error);
    // What is stored cannot be read with its key.
    case 'WM3045':
      return coded(500, error);
    default:
      return isStoreOutage(error) ? outage(error) : undefined;
  }
}

/** Returns true if what was refused is for the operator to mend, by keys. The client is answered, so that nothing else logs it. */
export const isKeyFault = (error: unknown): boolean =>
  ['WM3043', 'WM3044', 'WM3045'].some((code) => isWaymarkError(error, code));

/** No workflow has an endpoint there, and no instance waits there. */
export const noEndpoint = (method: string, path: string): PreparedResponse =>
  jsonResponse(404, {
    code: 'WM5007',
    message: `No workflow answers ${method} ${path}: no published workflow has that endpoint, and no instance waits there. Check method and path.`,
  });

/** A bookmark that was there when the request came, and is not now: another caller resumed it, or ended its instance. */
export function lostRace(error: unknown, { id, workflowInstanceId }: StoredBookmark): unknown {
  const isGone = ['WM3001', 'WM3003', 'WM3004'].some((code) => isWaymarkError(error, code));
  return isGone ? new BookmarkConsumedError(id, workflowInstanceId) : error;
}

/** The store is out, or was lost while it stored the burst. */
function outage(error: unknown): PreparedResponse | undefined {
  const answer = storeFaultAnswer(error);
  if (!answer) return undefined;
  const { status, retryAfter, body } = answer;
  return jsonResponse(status, body, retryAfter === undefined ? [] : [['Retry-After', retryAfter]]);
}

const coded = (status: number, { code, message }: WaymarkError): PreparedResponse =>
  jsonResponse(status, { code, message });
