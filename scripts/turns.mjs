import { createHash } from 'node:crypto';

/**
 * Of what costs seconds each, a part: in CI, where WAYMARK_TEST_DRAW is set, every so many-th. The number of commits, with which `.ci/run`
 * sets it, gives each its turn within that many commits. Without it all of them, as for a release.
 * @param turns how many commits take all @returns never an empty list, unless `all` is one
 */
export function inTurn(all, turns, draw = process.env.WAYMARK_TEST_DRAW) {
  if (!draw || all.length === 0) return [...all];
  const number = /^\d{1,15}$/.test(draw) ? Number(draw) : createHash('sha256').update(draw).digest().readUInt32BE();
  const count = Math.min(turns, all.length);
  return all.filter((_, index) => (index + number) % count === 0);
}
