import { toOwnMilliseconds } from '../values/time-span.js';

/** Name of the bookmark that ends an activity which is not done in time. */
export const TIMEOUT_BOOKMARK = 'Waymark.Timeout';

/** How long an activity may wait: custom property `timeout` of an activity in a definition, or of its class. */
export function readTimeout(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const ms = toOwnMilliseconds(value);
  return ms !== undefined && ms > 0 ? ms : undefined;
}

/** Describes what is wrong with a timeout and how to correct it, in a sentence; undefined if it is valid. */
export function timeoutProblem(value: unknown): string | undefined {
  return readTimeout(value) === undefined ? "give a time span above zero, such as '00:05:00'." : undefined;
}
