import type { WorkflowDefinition } from '@waymark/core';
import type { DefinitionDraft } from '../services/definition-services.js';

/** A draft as it is stored, but for what its version says. */
export function completeDraft(
  draft: DefinitionDraft,
  definitionId: string,
): Omit<WorkflowDefinition, 'id' | 'version' | 'createdAt'> {
  return {
    definitionId,
    name: draft.name?.trim(),
    description: draft.description?.trim(),
    toolVersion: draft.toolVersion,
    isLatest: true,
    isPublished: false,
    isReadonly: draft.isReadonly ?? false,
    isSystem: draft.isSystem ?? false,
    materializerName: draft.materializerName ?? 'Json',
    providerName: draft.providerName,
    variables: draft.variables ?? [],
    inputs: draft.inputs ?? [],
    outputs: draft.outputs ?? [],
    outcomes: draft.outcomes ?? [],
    customProperties: draft.customProperties ?? {},
    options: draft.options ?? {},
    root: draft.root,
  };
}
