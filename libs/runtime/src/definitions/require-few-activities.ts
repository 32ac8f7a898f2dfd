import { type ActivityJson, DefinitionTooLargeError } from '@waymark/core';
import { type ActivityRegistry, descriptorsOf, walkActivities } from '@waymark/core/adapter';

/** @throws DefinitionTooLargeError for more activities than that */
export function requireFewActivities(root: ActivityJson, registry: ActivityRegistry, maxActivities: number): void {
  let count = 0;
  walkActivities(root, descriptorsOf(registry), () => {
    if (++count > maxActivities) throw new DefinitionTooLargeError(maxActivities);
  });
}
