import { createHash } from 'node:crypto';

const hashOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE();

/**
 * One of so many for that name. A draw that is a number, as the number of commits in CI, has turns: of `count` draws that follow one
 * another from a multiple of `count`, each takes another one, so that none is left out for longer than `2 * count - 1` draws. In which order is
 * a matter of the name and of the round: two things that are drawn by themselves meet in each combination. Any other text is hashed with the
 * name.
 */
export function turnOf(draw: string, count: number, name: string): number {
  if (!/^\d{1,15}$/.test(draw)) return hashOf(`${draw}\0${name}`) % count;
  const number = Number(draw);
  return (number + hashOf(`${Math.floor(number / count)}\0${name}`)) % count;
}

/**
 * Every `distance`-th, beginning with one that is drawn, or without a draw with the first one: of fewer than that, one of them. As many with a
 * draw as without, but for one.
 */
export function drawnPartsOf<T>(draw: string | undefined, all: readonly T[], distance: number, name: string): T[] {
  const count = Math.min(distance, all.length);
  if (count === 0) return [];
  const first = draw === undefined ? 0 : turnOf(draw, count, name);
  return all.filter((_, index) => index % count === first);
}

/** Of what costs most, how many seconds of a processor each takes, by its name. */
export type Weights = Readonly<Record<string, number>>;

/**
 * Cut into so many parts that weigh about the same: from the heaviest on, each goes to the part that is lightest by then. Turns by a hash of
 * each name are as many for each, but what one draw takes may be twice what the next one does.
 * @returns the number of its part, from 0 on, for each name
 */
export function partsOf(weights: Weights, count: number): ReadonlyMap<string, number> {
  const sums = Array.from({ length: count }, () => 0);
  const heaviestFirst = Object.entries(weights).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return new Map(
    heaviestFirst.map(([name, weight]) => {
      const lightest = sums.indexOf(Math.min(...sums));
      sums[lightest]! += weight;
      return [name, lightest];
    }),
  );
}
