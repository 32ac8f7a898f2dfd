import { ReservedInstanceIdError } from '../endpoint/endpoint-errors.js';
import type { HttpRequest } from './http-request.js';

/** As `idOfRequest` makes them of request keys. */
const OF_REQUEST_KEY = /^[0-9a-f]{16}$/;

/** Reads an id from a request; undefined if it has none. */
export type HttpIdSelector = (request: HttpRequest) => string | undefined;

/** What the first selector with a hit says; blank counts as none. */
export function selectId(selectors: readonly HttpIdSelector[], request: HttpRequest): string | undefined {
  for (const select of selectors) {
    const id = select(request)?.trim();
    if (id) return id;
  }
  return undefined;
}

/**
 * The id that a request names for a new instance.
 * @throws ReservedInstanceIdError (`WM5020`)
 */
export function newInstanceId(id: string | undefined): string | undefined {
  if (id !== undefined && OF_REQUEST_KEY.test(id)) throw new ReservedInstanceIdError(id);
  return id;
}
