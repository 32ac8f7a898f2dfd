import type { DefinitionDraft } from '@waymark/runtime';
import { literal } from './nodes.js';

export const WAITING = 'bench-waiting';

/** Waits for an event, and ends when it comes. */
export const waitingWorkflow: DefinitionDraft = {
  definitionId: WAITING,
  name: 'Waiting',
  root: {
    type: 'Elsa.Sequence',
    id: 'Steps',
    activities: [{ type: 'Elsa.Event', id: 'Wait', eventName: literal('bench-waiting', 'String') }],
  },
};
