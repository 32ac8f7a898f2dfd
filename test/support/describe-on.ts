import { describe, it } from '@jest/globals';
import type { TestBackend, TestBackends } from './backends.js';

/**
 * A suite for each of these backends; `$name` in its title is the backend. One that cannot be used leaves a skipped test that
 * says why: a suite over an empty list fails in Jest, and a loop over one would leave nothing to see.
 */
export function describeOn<B extends TestBackend>(
  { available, skipped }: TestBackends<B>,
  title: string,
  suite: (backend: B) => void,
): void {
  const titled = (name: string): string => title.replaceAll('$name', name);
  for (const backend of available) describe(titled(backend.name), () => suite(backend));
  for (const { name, reason } of skipped) it.skip(`${titled(name)}: not run, ${reason}`, () => {});
}
