import type { HttpRequest } from './http-request.js';

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
