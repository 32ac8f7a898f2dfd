import { createHash } from 'node:crypto';
import { describe, it } from '@jest/globals';
import type { TestBackend } from './backends.js';

/**
 * Suites that several stores or adapters must pass are a matrix, of which a run takes a part. `some`: one adapter, of the stores without
 * a server one, and each server that is there; a quick `npm test` does so. `others`: what such a run leaves out, as in CI after it.
 * `all`: a run that names its files, or takes all long tests. Set by Jest's global set-up. A suite that any store will do for has one of
 * the servers in place of each, but for `all`.
 */
type Part = 'some' | 'others' | 'all';
const PARTS: readonly string[] = ['some', 'others', 'all'] satisfies Part[];

export const LEFT_OUT = 'not in this part of the matrix; name the file or set WAYMARK_TEST_PAIRS=all';

function thisPart(): Part {
  const part = process.env.WAYMARK_TEST_PAIRS ?? 'all';
  if (PARTS.includes(part)) return part as Part;
  throw new Error(`WAYMARK_TEST_PAIRS is one of ${PARTS.join(', ')}, not '${part}'.`);
}

/** Of several that must do the same; `quick` is the one that a quick run takes. */
export function pairsOf<T>(all: readonly T[], quick: T): T[] {
  const part = thisPart();
  return all.filter((one) => part === 'all' || (one === quick) === (part === 'some'));
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
 * Of a suite that any store will do for, the servers that this run leaves out: all but one, which its title decides, so that it is the
 * same one in each run and on each machine, and each server has its share of the suites. Where a server is missing, those that are
 * there share all of them.
 */
export function serversLeftOut(among: readonly { readonly name: string }[], title: string): string[] {
  const servers = among.map(({ name }) => name).filter((name) => name !== 'memory' && name !== 'sqlite');
  if (thisPart() === 'all' || servers.length < 2) return [];
  const [byte] = createHash('sha256').update(title).digest();
  return servers.filter((_, index) => index !== byte! % servers.length);
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
