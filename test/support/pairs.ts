import { createHash } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { TestBackend } from './backends.js';
import { turnOf } from './draw.js';
import { followsQuick, partOf, TURNS } from './weights.js';

/**
 * Suites that several stores or adapters must pass are a matrix, of which a run takes a part. `some`: one adapter, of the stores without
 * a server one, and each server that is there; a quick `npm test` does so. `others`: what such a run leaves out, as in CI after it.
 * `all`: a run that names its files, or takes all long tests. Set by Jest's global set-up. A suite that any store will do for has one of
 * the servers in place of each, but for `all`.
 *
 * With WAYMARK_TEST_DRAW, as in CI, `others` is drawn: see docs/adr/0095-what-ci-runs-after-the-quick-run-is-drawn.md.
 */
type Part = 'some' | 'others' | 'all';
const PARTS: readonly string[] = ['some', 'others', 'all'] satisfies Part[];

export const LEFT_OUT = 'not in this part of the matrix; name the file or set WAYMARK_TEST_PAIRS=all';

export const NOT_DRAWN = 'not drawn by this commit; name the file or set WAYMARK_TEST_PAIRS=all';

function thisPart(): Part {
  const part = process.env.WAYMARK_TEST_PAIRS ?? 'all';
  if (PARTS.includes(part)) return part as Part;
  throw new Error(`WAYMARK_TEST_PAIRS is one of ${PARTS.join(', ')}, not '${part}'.`);
}

/** What decides the draw of this run: undefined where `others` is all that `some` leaves out. */
const drawOf = (): string | undefined =>
  thisPart() === 'others' ? process.env.WAYMARK_TEST_DRAW || undefined : undefined;

/** One of so many: the same one for a name within a run, and another one in another. Without a draw the same one in each run. */
function drawn(count: number, name: string): number {
  const draw = drawOf();
  if (draw !== undefined) return turnOf(draw, count, name);
  const [byte] = createHash('sha256').update(name).digest();
  return byte! % count;
}

/** Of this file, the same on each machine. */
const thisFile = (): string =>
  path.relative(path.join(import.meta.dirname, '../..'), expect.getState().testPath ?? '').replaceAll('\\', '/');

/**
 * Of several that must do the same; `quick` is the one that a quick run takes. A drawn run takes the others in a third of the files; in those
 * of the other thirds, `quick`, which has passed before it and is skipped: a suite over an empty list fails.
 */
export function pairsOf<T>(all: readonly T[], quick: T): T[] {
  const part = thisPart();
  if (!isDrawn(thisFile())) return [quick];
  return all.filter((one) => part === 'all' || (one === quick) === (part === 'some'));
}

/**
 * If true, this run takes that one of these stores for a suite that has one after the other: a drawn run takes one of them, any other
 * run takes all.
 */
export const hasTurn = (name: string, among: readonly string[], title: string): boolean =>
  drawOf() === undefined || among[drawn(among.length, title)] === name;

/**
 * If true, this draw takes it. What `weights.ts` names is cut into parts of the same weight, one of which has its turn; the rest is light, and
 * has turns by its name.
 * @param later so many turns after its part has its own
 */
function hasDrawn(draw: string, name: string, later = 0): boolean {
  const part = partOf(name);
  return part === undefined ? turnOf(draw, TURNS, name) === 0 : turnOf(draw, TURNS, 'parts') === (part + later) % TURNS;
}

/**
 * If true, this run takes something that costs seconds and is shown as a whole: a drawn run takes a third of such, any other run all. Of what
 * a quick run has drawn as well, the run after it takes what was drawn a turn earlier: both on one day would be twice as much of the same.
 */
export function isDrawn(name: string): boolean {
  const draw = drawOf();
  return draw === undefined || hasDrawn(draw, name, followsQuick(name) ? 1 : 0);
}

/**
 * If true, this run takes the one at that place of a list with that name: a drawn run takes every third, from another one on in each turn.
 * So each list has a third of its own in each run, which for turns by name is a matter of luck.
 */
export const isDrawnAt = (place: number, name: string): boolean =>
  drawOf() === undefined || drawn(TURNS, name) === place % TURNS;

/**
 * Runs these suites of a file, or in two runs of three none of them: what costs seconds also on its first store, and is about attacks or
 * limits and not about what most changes touch. Quick runs draw as well, those without WAYMARK_TEST_DRAW the same ones each time. In CI the
 * run after the quick one takes the files whose turn came before, on the adapter (`pairsOf`) or the servers that they have left.
 */
export function runInTurn(suites: () => void): void {
  takeInTurn(thisFile(), thisFile(), suites);
}

/** One suite of a file, which has a turn of its own. See `runInTurn`. */
export function describeInTurn(title: string, suite: () => void): void {
  takeInTurn(`${thisFile()} ${title}`, title, () => describe(title, suite));
}

/** If true, this run takes what a quick run draws as well. */
export const isInTurn = (name: string): boolean =>
  thisPart() === 'some' ? hasDrawn(process.env.WAYMARK_TEST_DRAW || '0', name) : isDrawn(name);

function takeInTurn(name: string, title: string, suites: () => void): void {
  if (isInTurn(name)) suites();
  else it.skip(`${title}: ${NOT_DRAWN}`, () => {});
}

/** If true, this run takes that one of these stores. */
export function takesStore({ name }: TestBackend, among: readonly TestBackend[]): boolean {
  const part = thisPart();
  if (part === 'all') return true;
  const builtIn = among.map((one) => one.name).filter((one) => one === 'memory' || one === 'sqlite');
  // What most other specifications run on is memory, and what it cannot show is what a database does.
  const quick = builtIn.includes('sqlite') ? 'sqlite' : 'memory';
  if (name === 'memory' || name === 'sqlite') return (name === quick) === (part === 'some');
  return true;
}

/**
 * Of a suite that any store will do for, the stores that this run leaves out. Of the servers all but one, which its title decides, so that
 * it is the same one in each run and on each machine, and each server has its share of the suites. Where a server is missing, those that
 * are there share all of them. A drawn run leaves out all but its server, and of two thirds of the suites that as well.
 */
export function storesLeftOut(among: readonly { readonly name: string }[], title: string): string[] {
  const names = among.map(({ name }) => name);
  const servers = names.filter((name) => name !== 'memory' && name !== 'sqlite');
  if (thisPart() === 'all' || servers.length === 0) return [];
  const server = servers[drawn(servers.length, title)];
  if (drawOf() === undefined) return servers.filter((name) => name !== server);
  // Whether it has its turn says nothing of which server that is on.
  return isDrawn(`turn of ${title}`) ? names.filter((name) => name !== server) : names;
}

/**
 * If false, what takes long and has no part that would say something alone is left to the run of CI after the quick one, which takes it
 * on all stores. In-process tests show nearly all of the same.
 */
export const takesLong = (): boolean => thisPart() !== 'some';

/** A test that `takesLong`. */
export function itAfterQuick(title: string, test: () => void | Promise<void>, timeoutMs?: number): void {
  if (takesLong()) it(title, test, timeoutMs);
  else it.skip(`${title}: ${LEFT_OUT}`, () => {});
}

/** A suite that `takesLong`. */
export function describeAfterQuick(title: string, suite: () => void): void {
  if (takesLong()) describe(title, suite);
  else it.skip(`${title}: ${LEFT_OUT}`, () => {});
}
