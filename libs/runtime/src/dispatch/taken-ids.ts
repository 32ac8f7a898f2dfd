import type { InstanceStore } from '../persistence/instance-store.js';

/**
 * The workflow whose instance has that id, where it is not the one that is to be started under it. An instance of the same workflow is what an
 * earlier delivery, or the same request that was repeated, has started.
 */
export async function otherUser(
  instances: InstanceStore,
  workflowInstanceId: string,
  definitionId: string,
): Promise<string | undefined> {
  const { items } = await instances.findMany({ ids: [workflowInstanceId] }, undefined, {
    skip: 0,
    take: 1,
    countUpTo: 0,
  });
  const [found] = items;
  return found && found.definitionId !== definitionId ? found.definitionId : undefined;
}
