import type { DefinitionDraft, DefinitionModel } from './definitions.js';
import { hasContentOf } from './design-content.js';

describe('a stored definition', () => {
  const line = { id: 'A', type: 'Elsa.WriteLine', amount: 1 };
  const draft = { definitionId: 'd', name: 'N', root: line, variables: [{ name: 'V' }] } as unknown as DefinitionDraft;
  const stored = (more: object = {}) =>
    ({ ...draft, outputs: [], variables: [{ name: 'V', isArray: false }], version: 1, ...more }) as DefinitionModel;

  it('has the content of a draft to which the server has added something', () => {
    expect(hasContentOf(stored({ root: { ...line, nodeId: 'Workflow1:A', version: 1 } }), draft)).toBe(true);
    expect(hasContentOf(stored({ description: 'more' }), { ...draft, description: null } as never)).toBe(false);
  });

  it('has not the content of another draft', () => {
    for (const more of [{ name: 'Other' }, { root: { ...line, amount: 2 } }, { variables: [] }])
      expect(hasContentOf(stored(more), draft)).toBe(false);
  });
});
