import { type WorkflowDefinition } from '@waymark/core';
import { findReferences, MAX_ID_LENGTH, requireStorableText } from '@waymark/core/adapter';

/** Ids of the definitions that this one uses as activities, each once: what stores keep to find consumers by. */
export function usedDefinitionIds({ definitionId, root }: Pick<WorkflowDefinition, 'definitionId' | 'root'>): string[] {
  const used = new Set<string>();
  for (const reference of findReferences(root))
    if (reference.definitionId !== undefined && isStorableId(reference.definitionId)) used.add(reference.definitionId);
  used.delete(definitionId);
  return [...used];
}

/** No definition has an id that cannot be stored, so nothing is used by it; a draft may name it all the same. */
function isStorableId(id: string): boolean {
  try {
    requireStorableText('definition id', id, MAX_ID_LENGTH);
    return true;
  } catch {
    return false;
  }
}
