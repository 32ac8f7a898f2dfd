import { useMutation, useQueryClient } from '@tanstack/react-query';
import { definitionsKey, saveDefinition } from '../api/definitions.js';
import { notifyError } from '../parts/toasts.js';
import { useShown } from '../parts/use-shown.js';
import { findFreeId } from './find-free-id.js';
import { fromTemplate, type TemplateName } from './templates.js';

interface NewWorkflow {
  readonly name: string;
  /** Without one it is made of the name. */
  readonly definitionId?: string;
  readonly template: TemplateName;
}

/** Stores a draft made of a template, under an id that is free. */
export function useCreateWorkflow(onCreated: (definitionId: string) => void) {
  const client = useQueryClient();
  const isShown = useShown();
  return useMutation({
    mutationFn: async ({ name, definitionId, template }: NewWorkflow) => {
      const id = await findFreeId(client, definitionId || name);
      const { workflowDefinition } = await saveDefinition({ ...fromTemplate(template, id), name });
      return workflowDefinition.definitionId;
    },
    onSuccess: async (definitionId) => {
      await client.invalidateQueries({ queryKey: definitionsKey });
      if (isShown()) onCreated(definitionId);
    },
    onError: (error) => isShown() || notifyError(error),
  });
}
