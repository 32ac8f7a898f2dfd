import type { Design } from './change.js';
import { variablesInScope } from './variables-in-scope.js';

const design = {
  definitionId: 'd',
  variables: [{ id: 'w', name: 'Total' }, { id: 'twice', name: 'Outer' }, { name: 'without an id' }],
  root: {
    id: 'F',
    type: 'Elsa.Flowchart',
    activities: [
      {
        id: 'S1',
        name: 'Steps',
        type: 'Elsa.Sequence',
        variables: [
          { id: 's', name: 'Inner' },
          { id: 'twice', name: 'Shadow' },
        ],
        activities: [
          { id: 'L', type: 'Elsa.ForEach', body: { id: 'S2', type: 'Elsa.Sequence', variables: [{ id: 'b' }] } },
        ],
      },
      { id: 'S3', type: 'Elsa.Sequence', variables: [{ id: 'elsewhere', name: 'Elsewhere' }], activities: [] },
    ],
  },
} as unknown as Design;

const shown = (...path: (string | number)[]) =>
  variablesInScope(design, path).map(({ id, name, of }) => [id, name, of].filter(Boolean).join(' '));

describe('variables that can be chosen', () => {
  it('includes those of the workflow and of the containers around, each id once', () => {
    expect(shown('root')).toEqual(['w Total', 'twice Outer']);
    expect(shown('root', 'activities', 0)).toEqual(['w Total', 'twice Outer', 's Inner Steps']);
    expect(shown('root', 'activities', 0, 'activities', 0, 'body')).toEqual([
      'w Total',
      'twice Outer',
      'b b S2',
      's Inner Steps',
    ]);
  });

  it('has no entries where nothing is declared', () => {
    expect(variablesInScope({ root: { id: 'F', type: 'Elsa.Flowchart' } } as unknown as Design, ['root'])).toEqual([]);
  });
});
