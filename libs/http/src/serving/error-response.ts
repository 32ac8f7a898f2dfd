import { isWaymarkError } from '@waymark/core';
import { jsonResponse } from '../requests/rejection.js';
import type { PreparedResponse } from '../responses/http-response-writer.js';

const NOT_FOUND: PreparedResponse = { status: 404, headers: [] };

/** Seconds after which a client may try again. */
const RETRY_AFTER = { draining: '5', paused: '60' };

/** What a refusal of the runtime means to a client; undefined for errors that are nobody's answer. */
export function errorResponse(error: unknown): PreparedResponse | undefined {
  if (!isWaymarkError(error)) return undefined;
  switch (error.code) {
    // RuntimeNotAcceptingWorkError
    case 'WM3005': {
      const { reason } = error as { reason?: keyof typeof RETRY_AFTER } & Error;
      return { status: 503, headers: [['Retry-After', RETRY_AFTER[reason ?? 'paused']]] };
    }
    // The definition, instance or bookmark went away since it was looked up.
    case 'WM1020':
    case 'WM3001':
    case 'WM3003':
    case 'WM3004':
      return NOT_FOUND;
    // An instance has that id already; another request was faster; the activation strategy refused.
    case 'WM3002':
    case 'WM7001':
    case 'WM7002':
    case 'WM7005':
      return jsonResponse(409, { code: error.code, message: error.message });
    default:
      return undefined;
  }
}
