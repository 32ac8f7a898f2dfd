/** Milliseconds since 1970, finer than the clock tells: processes of one machine are compared. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
