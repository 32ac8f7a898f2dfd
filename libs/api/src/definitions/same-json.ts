/** Compared before other requests get their turn: a few milliseconds. */
const VALUES_AT_ONCE = 5000;

/**
 * Whether two values are the same as JSON, whatever the order of their members. Without texts of either: of ten megabytes these take
 * half a second, and the first difference ends this.
 * @param pause resolves when other work has had its turn
 */
export async function sameJson(left: unknown, right: unknown, pause: () => Promise<unknown>): Promise<boolean> {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let count = 1; pairs.length > 0; count++) {
    if (count % VALUES_AT_ONCE === 0) await pause();
    const [one, other] = pairs.pop()!.map(asJson) as [unknown, unknown];
    if (!isHolder(one) || !isHolder(other)) {
      if (one !== other) return false;
    } else if (!addMembers(one, other, pairs)) return false;
  }
  return true;
}

/** @returns false if they differ in what they have */
function addMembers(one: object, other: object, pairs: [unknown, unknown][]): boolean {
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    for (let i = 0; i < one.length; i++) pairs.push([asJson(one[i]) ?? null, asJson(other[i]) ?? null]);
    return true;
  }
  const [mine, others] = [one, other] as [Record<string, unknown>, Record<string, unknown>];
  let members = 0;
  for (const name of Object.keys(mine)) {
    if (asJson(mine[name]) === undefined) continue;
    if (!Object.hasOwn(others, name)) return false;
    members++;
    pairs.push([mine[name], others[name]]);
  }
  return members === Object.keys(others).filter((name) => asJson(others[name]) !== undefined).length;
}

const isHolder = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** What JSON writes for it; undefined for what it leaves out. */
function asJson(value: unknown): unknown {
  if (isHolder(value) && typeof (value as { toJSON?: unknown }).toJSON === 'function')
    return asJson((value as { toJSON(): unknown }).toJSON());
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
}
