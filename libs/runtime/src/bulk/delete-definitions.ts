import type { DeleteOptions, IWorkflowDefinitionPublisher } from '../services/definition-services.js';
import { chunksOf } from '../persistence/in-chunks.js';
import type { DefinitionDeletion } from '../persistence/bulk-plan-store.js';

/** With all that is left of their instances. @returns how many versions were deleted */
export function deleteNow(
  publisher: IWorkflowDefinitionPublisher,
  deletion: DefinitionDeletion,
  options: DeleteOptions,
): Promise<number> {
  return 'definitionIds' in deletion
    ? publisher.delete(deletion.definitionIds, options)
    : publisher.deleteVersions(deletion.definitionVersionIds, options);
}

/** Deleted together; a plan that has been cancelled, or ended by another node, deletes no further lot. */
const LOT = 50;

/** Lots of a deletion, one after the other. */
export function lotsOf(deletion: DefinitionDeletion): DefinitionDeletion[] {
  const ids = 'definitionIds' in deletion ? deletion.definitionIds : deletion.definitionVersionIds;
  return chunksOf(ids, LOT).map((lot) =>
    'definitionIds' in deletion ? { definitionIds: lot } : { definitionVersionIds: lot },
  );
}

/** So that what fails for one leaves the others alone. */
export function oneByOne(deletion: DefinitionDeletion): (readonly [id: string, deletion: DefinitionDeletion])[] {
  return 'definitionIds' in deletion
    ? deletion.definitionIds.map((id) => [id, { definitionIds: [id] }])
    : deletion.definitionVersionIds.map((id) => [id, { definitionVersionIds: [id] }]);
}
