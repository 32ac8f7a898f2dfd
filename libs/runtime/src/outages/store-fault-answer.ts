import { isWaymarkError } from '@waymark/core';
import type { OutageCode } from '../persistence/persistence-errors.js';

/** The answer to a caller from outside for a fault of the store. The texts of the database are for the log. */
export interface StoreFaultAnswer {
  /** HTTP status. */
  readonly status: number;
  /** Seconds after which the same request may be sent again, as the header says it. Absent where that is not safe. */
  readonly retryAfter?: string;
  /** Content of the answer. */
  readonly body: { readonly code: string; readonly message: string };
}

type Known = OutageCode | 'WM7009';

const ANSWERS: Readonly<Record<Known, Omit<StoreFaultAnswer, 'body'> & { readonly message: string }>> = {
  WM7009: { status: 500, message: 'The database refused the request. The log of the server has the details.' },
  WM7014: {
    status: 503,
    retryAfter: '5',
    message: 'The database is currently unavailable. Nothing was changed; try again later.',
  },
  WM7015: {
    status: 503,
    message:
      'The database was lost while the change was stored, so all, a part or none of it may be stored. Check before you ' +
      'send the request again.',
  },
  WM7018: {
    status: 503,
    retryAfter: '30',
    message: 'The database file was lost. Nothing was changed; the log of the server says what to do.',
  },
};

/** Returns the answer to a fault of the store, such as an outage; undefined for all other errors. */
export function storeFaultAnswer(error: unknown): StoreFaultAnswer | undefined {
  if (!isWaymarkError(error) || !Object.hasOwn(ANSWERS, error.code)) return undefined;
  const { message, ...answer } = ANSWERS[error.code as Known];
  return { ...answer, body: { code: error.code, message } };
}
