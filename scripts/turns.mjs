import { createHash } from 'node:crypto';

const hashOf = (text) => createHash('sha256').update(text).digest().readUInt32BE();

/**
 * Of what costs seconds each, a part: in CI, where WAYMARK_TEST_DRAW is set, every so many-th. The number of commits, with which `.ci/run`
 * sets it, gives each its turn once in that many commits. In which order is a matter of the round: where each merge raises the number by as
 * many, the same ones would be left out forever. Without it all of them, as for a release.
 * @param turns how many commits take all @returns never an empty list, unless `all` is one
 */
export function inTurn(all, turns, draw = process.env.WAYMARK_TEST_DRAW) {
  if (!draw || all.length === 0) return [...all];
  const count = Math.min(turns, all.length);
  const names = JSON.stringify(all);
  const number = /^\d{1,15}$/.test(draw) ? Number(draw) : hashOf(draw);
  const first = (number + hashOf(`${Math.floor(number / count)}\0${names}`)) % count;
  return all.filter((_, index) => index % count === first);
}

/** What costs seconds as a whole: of each of these lists a commit has one, so that no commit has all of them. */
const TAKING_TURNS = [
  ['the API reference', 'a new application from nothing', 'TypeScript 6 by exports'],
  ['an installation by pnpm', 'a publish from the folders'],
];

/** If true, that one has its turn. Without WAYMARK_TEST_DRAW, each has. @throws Error when no list has it */
export function hasTurn(name, draw = process.env.WAYMARK_TEST_DRAW) {
  const list = TAKING_TURNS.find((names) => names.includes(name));
  if (!list) throw new Error(`'${name}' takes turns with nothing: add it to a list in scripts/turns.mjs.`);
  return inTurn(list, list.length, draw).includes(name);
}
