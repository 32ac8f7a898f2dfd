import type { DefinitionDraft } from '@waymark/runtime';

export const STUCK = 'bench-stuck';

/** Its first burst does not end. */
export const stuckWorkflow: DefinitionDraft = {
  definitionId: STUCK,
  name: 'Stuck',
  root: { type: 'Elsa.Sequence', id: 'Steps', activities: [{ type: 'Bench.Stuck', id: 'Stuck' }] },
};
