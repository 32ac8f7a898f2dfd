/** So many at a time; the last one has what is left. */
export function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/** Does something with so many at a time, one lot after the other. */
export async function inChunks<T>(
  items: readonly T[],
  size: number,
  task: (chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) await task(items.slice(at, at + size));
}
