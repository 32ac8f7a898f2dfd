import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { definitionsKey } from '../api/definitions.js';
import { notifyError } from '../parts/toasts.js';
import { useShown } from '../parts/use-shown.js';
import { NewWorkflows } from './new-workflows.js';
import { fromTemplate, type TemplateName } from './templates.js';

interface NewWorkflow {
  readonly name: string;
  /** Without one it is made of the name. */
  readonly definitionId?: string;
  readonly template: TemplateName;
}

/** Stores a draft made of a template, under an id that is free: never in the place of another workflow. */
export function useCreateWorkflow(onCreated: (definitionId: string) => void) {
  const client = useQueryClient();
  const isShown = useShown();
  const [workflows] = useState(() => new NewWorkflows(client, JSON.parse));
  return useMutation({
    mutationFn: ({ name, definitionId, template }: NewWorkflow) =>
      workflows.store(definitionId || name, (id) => ({ ...fromTemplate(template, id), name })),
    onSuccess: async (definitionId) => {
      await client.invalidateQueries({ queryKey: definitionsKey });
      if (isShown()) onCreated(definitionId);
    },
    onError: (error) => isShown() || notifyError(error),
  });
}
