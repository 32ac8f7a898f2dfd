import { randomBytes } from 'node:crypto';
import type { WorkflowModuleOptions } from '@waymark/nestjs';
import type { DefinitionDraft } from '@waymark/runtime';

/** The same workflow with one of its variables stored encrypted. */
export function withEncrypted(draft: DefinitionDraft, variableName: string): DefinitionDraft {
  const variables = (draft.variables ?? []).map((variable) =>
    variable.name === variableName ? { ...variable, storageDriverTypeName: 'EncryptedStorageDriver' } : variable,
  );
  if (!variables.some(({ storageDriverTypeName }) => storageDriverTypeName === 'EncryptedStorageDriver'))
    throw new Error(`${draft.definitionId} has no variable ${variableName}`);
  return { ...draft, variables };
}

/** A key that ends with the process, as what is measured does. */
export function ownKey(): Pick<WorkflowModuleOptions, 'encryption'> {
  const key = randomBytes(32);
  return { encryption: { keys: { keys: () => [{ id: 'bench', key }] } } };
}
