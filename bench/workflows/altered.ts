import type { DefinitionDraft } from '@waymark/runtime';
import { literal, variable } from './nodes.js';

export const ALTERED = 'bench-altered';
export const ALTERED_VARIABLE = variable('Amount');

/** Waits for an event with a variable that may be altered meanwhile. */
export const alteredWorkflow: DefinitionDraft = {
  definitionId: ALTERED,
  name: 'Altered',
  variables: [ALTERED_VARIABLE],
  root: {
    type: 'Elsa.Sequence',
    id: 'Steps',
    activities: [{ type: 'Elsa.Event', id: 'Wait', eventName: literal('bench-altered', 'String') }],
  },
};
