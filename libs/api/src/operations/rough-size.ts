const DEEPEST = 100;

/** Estimates the length of a value as JSON, without making a copy. Stops beyond the limit. */
export function roughSize(value: unknown, limit: number, depth = 0): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return 8;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  let size = 2;
  const add = (part: unknown): boolean => (size += 1 + roughSize(part, limit - size, depth + 1)) > limit;
  if (value instanceof Map) {
    for (const [name, member] of value) if (add(name) || add(member)) break;
  } else if (Array.isArray(value) || value instanceof Set) {
    for (const item of value as Iterable<unknown>) if (add(item)) break;
  } else {
    for (const name in value) if (add(name) || add((value as Record<string, unknown>)[name])) break;
  }
  return size;
}
