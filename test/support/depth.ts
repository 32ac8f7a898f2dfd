import { describe, it } from '@jest/globals';
import { drawnPartsOf } from './draw.js';

/**
 * How much of the long tests a run takes: `npm test` and CI a sample, so that they end within minutes; `npm run test:full`, and a
 * run that names its files, all. Set by Jest's global set-up.
 */
export const isThorough = process.env.WAYMARK_TEST_DEPTH === 'full';

export const NOT_IN_QUICK_RUNS = 'not run by a quick npm test; name the file or set WAYMARK_TEST_DEPTH=full';

/** Every one of them, or of a quick run the first one and each `share`-th after it. */
export function sampleOf<T>(all: readonly T[], share: number): T[] {
  return isThorough ? [...all] : all.filter((_, index) => index % share === 0);
}

/**
 * The same where each of them costs as much as any other. Without WAYMARK_TEST_DRAW, a quick run takes the same ones each time. In CI, which
 * draws, it begins at another one with each commit: all of them have their turn.
 * @param name of what they are parts of
 */
export function drawnSampleOf<T>(all: readonly T[], share: number, name: string): T[] {
  return isThorough ? [...all] : drawnPartsOf(process.env.WAYMARK_TEST_DRAW || undefined, all, share, name);
}

/** How often something random is tried, or how many of something there are: so many, or of a quick run that part of it. */
export function amountOf(count: number, share = 8): number {
  return isThorough ? count : Math.ceil(count / share);
}

/** A suite that takes long and has no part that would say something alone. A quick run shows it as skipped, with the reason. */
export function describeThorough(title: string, suite: () => void): void {
  if (isThorough) describe(title, suite);
  else it.skip(`${title}: ${NOT_IN_QUICK_RUNS}`, () => {});
}
