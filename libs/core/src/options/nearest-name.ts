/**
 * The known name that a mistyped one is nearest to; undefined when none is near enough for a slip.
 * @param most how many letters may differ @default a third, at least two
 */
export function nearestName(
  name: string,
  known: readonly string[],
  most = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined;
  let least = most + 1;
  for (const each of known) {
    // At least as many letters are added or left out. A name of a megabyte would be compared for a minute.
    if (Math.abs(name.length - each.length) >= least) continue;
    const steps = editDistance(name.toLowerCase(), each.toLowerCase());
    if (steps < least) [best, least] = [each, steps];
  }
  return best;
}

/** How many letters are added, left out or replaced. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
