import type { DefinitionDraft } from '@waymark/runtime';
import { literal, setVariable, variable } from './nodes.js';

export const SHORT = 'bench-short';

const answer = variable('Answer');

/** Starts, does next to nothing, finishes: what it costs is what the runtime costs. */
export const shortWorkflow: DefinitionDraft = {
  definitionId: SHORT,
  name: 'Short',
  variables: [answer],
  root: {
    type: 'Elsa.Sequence',
    id: 'Steps',
    activities: [setVariable('Set', answer, literal(42))],
  },
};
