import { describe, it } from '@jest/globals';
import type { TestBackend, TestBackends } from './backends.js';
import { describeOn } from './describe-on.js';

/**
 * How much of the long tests a run takes: `npm test` a sample, so that it ends within minutes; CI, and a run that names its
 * files, all. Set by Jest's global set-up.
 */
export const isThorough = process.env.WAYMARK_TEST_DEPTH === 'full';

const REASON = 'not run by a quick npm test; name the file or set WAYMARK_TEST_DEPTH=full';

/** Every one of them, or of a quick run the first one and each `share`-th after it. */
export function sampleOf<T>(all: readonly T[], share: number): T[] {
  return isThorough ? [...all] : all.filter((_, index) => index % share === 0);
}

/** How often something random is tried, or how many of something there are: so many, or of a quick run that part of it. */
export function amountOf(count: number, share = 4): number {
  return isThorough ? count : Math.ceil(count / share);
}

/** A suite that takes long and has no part that would say something alone. A quick run shows it as skipped, with the reason. */
export function describeThorough(title: string, suite: () => void): void {
  if (isThorough) describe(title, suite);
  else it.skip(`${title}: ${REASON}`, () => {});
}

/** The same for each of these backends, as {@link describeOn}. */
export function describeThoroughOn<B extends TestBackend>(
  backends: TestBackends<B>,
  title: string,
  suite: (backend: B) => void,
): void {
  if (isThorough) describeOn(backends, title, suite);
  else it.skip(`${title.replaceAll('$name', 'any database')}: ${REASON}`, () => {});
}
