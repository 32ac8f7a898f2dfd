/** Deeper than any value that can be stored without the codec; ends cycles. */
const MAX_SIZED_DEPTH = 200;
/** Of texts up to that the characters count: asking for their bytes costs more than all else here. */
const SHORT = 256;

/** About how many bytes a value takes as text; anything beyond the limit once that is reached. */
export function sizeUpTo(value: unknown, limit: number, depth: number): number {
  if (typeof value === 'string') {
    // A long one is not counted: it has as many bytes at least.
    if (value.length > limit) return value.length;
    return value.length > SHORT ? Buffer.byteLength(value) : value.length + 2;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_SIZED_DEPTH) return 8;
  if (Array.isArray(value)) return sizeOfItems(value, limit, depth);
  if (value instanceof Uint8Array) return Math.ceil(value.length / 3) * 4;
  if (value instanceof Set) return sizeOfItems(value, limit, depth);
  if (value instanceof Map) return sizeOfItems([...value].flat(1), limit, depth);
  let size = 2;
  for (const name in value) {
    size += name.length + 4 + sizeUpTo((value as Record<string, unknown>)[name], limit - size, depth + 1);
    if (size > limit) return size;
  }
  return size;
}

function sizeOfItems(items: Iterable<unknown>, limit: number, depth: number): number {
  let size = 2;
  for (const item of items) {
    size += 1 + sizeUpTo(item, limit - size, depth + 1);
    if (size > limit) return size;
  }
  return size;
}
