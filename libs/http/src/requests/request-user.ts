import type { HttpRequest } from './http-request.js';

/** Where Nest's guards and the adapters' middleware leave the user. */
export function userOf(request: HttpRequest): unknown {
  const native = request.native as { user?: unknown } | undefined;
  return native?.user ?? (request.raw as { user?: unknown }).user;
}
