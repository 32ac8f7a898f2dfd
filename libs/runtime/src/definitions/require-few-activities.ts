import {
  type ActivityJson,
  type ActivityRegistry,
  DefinitionTooLargeError,
  descriptorsOf,
  walkActivities,
} from '@waymark/core';

/** @throws DefinitionTooLargeError for more activities than that */
export function requireFewActivities(root: ActivityJson, registry: ActivityRegistry, maxActivities: number): void {
  let count = 0;
  walkActivities(root, descriptorsOf(registry), () => {
    if (++count > maxActivities) throw new DefinitionTooLargeError(maxActivities);
  });
}
