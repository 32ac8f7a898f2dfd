/**
 * Refuses options with unknown names, which would leave the default in force without a word.
 * @param where what has the options, as the message says it, such as `WorkflowModule`
 * @throws TypeError with the name, and the known one that is nearest
 */
export function refuseUnknown(
  where: string,
  options: object | null | undefined,
  known: Readonly<Record<string, true>>,
): void {
  for (const name of Object.keys(options ?? {})) {
    if (Object.hasOwn(known, name)) continue;
    const near = nearest(name, Object.keys(known));
    throw new TypeError(`${where} has no option '${name}'.${near === undefined ? '' : ` Did you mean '${near}'?`}`);
  }
}

/** Undefined when none is near enough for a slip. */
function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const each of known) {
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
