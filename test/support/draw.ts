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
