/**
 * Consumers in an order in which each comes after those among them that it uses. Those of a circle, which drafts may form, come last, in
 * the order in which they were found.
 * @param uses each consumer with the definitions that it uses; others than consumers do not count
 */
export function usesFirst(uses: ReadonlyMap<string, readonly string[]>): string[] {
  const open = new Map<string, number>();
  const usedBy = new Map<string, string[]>();
  for (const [consumer, used] of uses) {
    const before = used.filter((id) => uses.has(id));
    open.set(consumer, before.length);
    for (const id of before) {
      const consumers = usedBy.get(id);
      if (consumers) consumers.push(consumer);
      else usedBy.set(id, [consumer]);
    }
  }
  const ordered = new Set([...open].filter(([, count]) => count === 0).map(([id]) => id));
  // A set is walked in the order in which it grows, also while it grows.
  for (const id of ordered)
    for (const consumer of usedBy.get(id) ?? []) {
      const left = open.get(consumer)! - 1;
      open.set(consumer, left);
      if (left === 0) ordered.add(consumer);
    }
  return [...ordered, ...[...uses.keys()].filter((id) => !ordered.has(id))];
}
