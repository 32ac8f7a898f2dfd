import type { ActivityJson } from '@waymark/core';
import type { DefinitionDraft } from '@waymark/runtime';
import { literal } from './nodes.js';

export const BACKGROUND_TYPE = 'Bench.Background';
export const BACKGROUND_OF_MANY = 'bench-background';
export const BACKGROUND_OF_ONE = 'bench-background-branches';

const work = (id: string): ActivityJson => ({ type: BACKGROUND_TYPE, id });

/** One activity that a worker executes. */
export const backgroundWorkflow: DefinitionDraft = {
  definitionId: BACKGROUND_OF_MANY,
  name: 'Background',
  root: { type: 'Elsa.Sequence', id: 'Steps', activities: [work('Work')] },
};

/** So many of them at the same time. */
export function backgroundBranches(count: number): DefinitionDraft {
  const items = literal(
    Array.from({ length: count }, (_, n) => n),
    'Object',
  );
  return {
    definitionId: BACKGROUND_OF_ONE,
    name: 'Background branches',
    // The definition itself does not grow: it is an argument of the node.
    root: { type: 'Elsa.ParallelForEach', id: 'Branches', items, body: work('Work') },
  };
}
