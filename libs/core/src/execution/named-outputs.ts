import type { NamedOutput } from '../expressions/expression-scope.js';
import type { ActivityNode } from '../graph/activity-node.js';
import { pascalize } from '../values/names.js';

/** Made once per container, when an expression first asks: graphs do not change, and a container may have thousands of activities. */
const byAccessor = new WeakMap<ActivityNode, ReadonlyMap<string, NamedOutput>>();

/** Outputs of the activities in a container by the names that accessors have for them: `ResultFromStep1`. The first one counts. */
export function outputsByAccessor(container: ActivityNode): ReadonlyMap<string, NamedOutput> {
  let known = byAccessor.get(container);
  if (!known) byAccessor.set(container, (known = read(container)));
  return known;
}

function read(container: ActivityNode): ReadonlyMap<string, NamedOutput> {
  const outputs = new Map<string, NamedOutput>();
  for (const node of container.children)
    for (const { name: outputName } of node.registration.descriptor.outputs) {
      const activityName = node.name ?? node.id;
      const accessor = `${pascalize(outputName)}From${pascalize(activityName)}`;
      if (!outputs.has(accessor)) outputs.set(accessor, { activityName, outputName });
    }
  return outputs;
}
