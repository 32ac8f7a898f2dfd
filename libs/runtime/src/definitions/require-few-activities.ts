import { type ActivityJson, DefinitionTooLargeError } from '@waymark/core';
import { type ActivityRegistry, countItems, descriptorsOf, walkActivities } from '@waymark/core/adapter';

/**
 * What stands in lists of an activity counts as well: a state machine may have no activity at all, and tens of thousands of states.
 * @throws DefinitionTooLargeError for more activities than that
 */
export function requireFewActivities(root: ActivityJson, registry: ActivityRegistry, maxActivities: number): void {
  let count = 0;
  walkActivities(root, descriptorsOf(registry), ({ node, descriptor }) => {
    count += 1 + (descriptor ? countItems(node, descriptor) : 0);
    if (count > maxActivities) throw new DefinitionTooLargeError(maxActivities);
  });
}
