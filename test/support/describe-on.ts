import { describe, it } from '@jest/globals';
import type { TestBackend, TestBackends } from './backends.js';
import { isThorough, NOT_IN_QUICK_RUNS } from './depth.js';
import { hasTurn, LEFT_OUT, storesLeftOut, takesLong, takesStore } from './pairs.js';

/**
 * A suite for each of these backends; `$name` in its title is the backend. One that cannot be used, or is not in this run's part
 * of the matrix, leaves a skipped test that says why: a suite over an empty list fails in Jest, and a loop over one would leave
 * nothing to see. A suite for any store is on one of the servers, except in a run that takes all.
 */
export function describeOn<B extends TestBackend>(
  { available, skipped, isForAnyStore }: TestBackends<B>,
  title: string,
  suite: (backend: B) => void,
  takes = takesStore,
): void {
  if (!title.includes('$name')) throw new Error(`'${title}' does not say by $name which backend it is on.`);
  const titled = (name: string): string => title.replaceAll('$name', name);
  const left = isForAnyStore ? storesLeftOut(available, title) : [];
  for (const backend of available)
    if (!left.includes(backend.name) && takes(backend, available)) describe(titled(backend.name), () => suite(backend));
    else it.skip(`${titled(backend.name)}: ${LEFT_OUT}`, () => {});
  for (const { name, reason } of skipped) it.skip(`${titled(name)}: not run, ${reason}`, () => {});
}

/** The same for a suite that takes long, as `describeThorough`. */
export function describeThoroughOn<B extends TestBackend>(
  backends: TestBackends<B>,
  title: string,
  suite: (backend: B) => void,
): void {
  if (isThorough) describeOn(backends, title, suite);
  else it.skip(`${title.replaceAll('$name', 'any database')}: ${NOT_IN_QUICK_RUNS}`, () => {});
}

/** The same for a suite that one of its stores will do for in each run of CI, another one in another: what it costs is more than a second. */
export function describeInTurnOn<B extends TestBackend>(
  backends: TestBackends<B>,
  title: string,
  suite: (backend: B) => void,
  takes = takesStore,
): void {
  const names = backends.available.map(({ name }) => name);
  describeOn(backends, title, suite, (backend, among) => takes(backend, among) && hasTurn(backend.name, names, title));
}

/** The same for a suite that a quick run leaves to the one after it, as `describeAfterQuick`. */
export function describeInTurnAfterQuickOn<B extends TestBackend>(
  backends: TestBackends<B>,
  title: string,
  suite: (backend: B) => void,
): void {
  describeInTurnOn(backends, title, suite, takesLong);
}
