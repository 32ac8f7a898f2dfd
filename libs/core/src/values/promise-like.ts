/** Whether a value has to be awaited: nothing that is there already costs a promise (ADR 5). */
export function isPromiseLike(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
