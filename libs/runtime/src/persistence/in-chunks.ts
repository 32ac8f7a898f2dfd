/** Does something with so many at a time, one lot after the other. */
export async function inChunks<T>(
  items: readonly T[],
  size: number,
  task: (chunk: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) await task(items.slice(at, at + size));
}
