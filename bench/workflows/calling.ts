import type { DefinitionDraft } from '@waymark/runtime';

export const CALLING = 'bench-calling';
export const CALL_TYPE = 'Bench.Call';

/** Waits for another service, as most workflows of an application do. */
export const callingWorkflow: DefinitionDraft = {
  definitionId: CALLING,
  name: 'Calling',
  root: { type: 'Elsa.Sequence', id: 'Steps', activities: [{ type: CALL_TYPE, id: 'Call' }] },
};
