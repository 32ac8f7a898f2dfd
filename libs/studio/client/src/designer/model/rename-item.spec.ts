import type { Design } from './change.js';
import { historyOf, perform, undo } from './history.js';
import { renameItem } from './rename-item.js';

const read = (type: string, value: unknown) => ({ typeName: 'Object', expression: { type, value } });
const variable = { id: 'v1', name: 'Total', typeName: 'Int32' };

const design = {
  definitionId: 'd',
  name: 'Orders',
  variables: [variable, { id: 'v2', name: 'Other', typeName: 'Int32' }],
  inputs: [{ name: 'amount', type: 'Int32' }, { name: 'who' }],
  outputs: [{ name: 'Result' }, { name: 'v2' }],
  root: {
    id: 'F',
    type: 'Elsa.Flowchart',
    activities: [
      { id: 'A', type: 'Elsa.WriteLine', text: read('Input', { name: 'Amount', type: 'Int32' }) },
      { id: 'B', type: 'Elsa.WriteLine', text: read('Input', '{"name":"amount","type":"Int32"}') },
      { id: 'C', type: 'Elsa.WriteLine', text: read('Input', 'amount') },
      { id: 'D', type: 'Elsa.WriteLine', text: read('JavaScript', 'getInput("amount") + variables.Total') },
      {
        id: 'E',
        type: 'Elsa.FlowSwitch',
        cases: [{ label: 'amount', condition: { type: 'Input', value: { name: 'amount' } } }],
      },
      { id: 'G', type: 'Elsa.SetVariable', variable, value: read('Variable', JSON.stringify(variable)) },
      { id: 'H', type: 'Elsa.SetOutput', outputName: read('Literal', 'Result'), value: read('Literal', 'Result') },
      {
        id: 'I',
        type: 'My.Activity',
        result: { typeName: 'Object', memoryReference: { id: 'Result' } },
        more: { typeName: 'Object', memoryReference: { id: 'v2' } },
      },
      { id: 'J', type: 'Elsa.WriteLine', text: read('Input', { name: 'who' }) },
    ],
  },
} as unknown as Design;

const rename = (list: 'variables' | 'inputs' | 'outputs', index: number, to: string) => {
  const history = perform(historyOf(design), renameItem(design, list, index, to));
  // One step, which undo takes back whole.
  expect(undo(history).design).toEqual(design);
  return history.design;
};

const activities = ({ root }: Design) =>
  Object.fromEntries((root.activities as readonly { id: string }[]).map((one) => [one.id, one as never]));

/** Ids of the activities that are others than before. */
const changed = (next: Design) =>
  (next.root.activities as readonly { id: string }[])
    .filter((one, index) => one !== (design.root.activities as readonly unknown[])[index])
    .map(({ id }) => id);

describe('renaming what a workflow declares', () => {
  it('renames an input in expressions that are it, as objects, texts and names, and leaves scripts alone', () => {
    const next = rename('inputs', 0, 'totalAmount');
    expect(next.inputs).toEqual([{ name: 'totalAmount', type: 'Int32' }, { name: 'who' }]);
    expect(changed(next)).toEqual(['A', 'B', 'C', 'E']);
    expect(activities(next)).toMatchObject({
      A: { text: { expression: { value: { name: 'totalAmount', type: 'Int32' } } } },
      B: { text: { expression: { value: '{"name":"totalAmount","type":"Int32"}' } } },
      C: { text: { expression: { value: 'totalAmount' } } },
      E: { cases: [{ label: 'amount', condition: { value: { name: 'totalAmount' } } }] },
    });
  });

  it('renames a variable where it is read and set', () => {
    const next = rename('variables', 0, 'Sum');
    expect(changed(next)).toEqual(['G']);
    expect(activities(next)).toMatchObject({
      G: {
        variable: { id: 'v1', name: 'Sum' },
        value: { expression: { value: JSON.stringify({ ...variable, name: 'Sum' }) } },
      },
    });
  });

  it('renames an output where it is set and bound, and no variable of that id', () => {
    const next = rename('outputs', 0, 'Answer');
    expect(changed(next)).toEqual(['H', 'I']);
    expect(activities(next)).toMatchObject({
      H: { outputName: { expression: { value: 'Answer' } }, value: { expression: { value: 'Result' } } },
      I: { result: { memoryReference: { id: 'Answer' } }, more: { memoryReference: { id: 'v2' } } },
    });
    expect(changed(rename('outputs', 1, 'v3'))).toEqual([]);
  });

  it('changes nothing but the name where nothing refers to it', () => {
    const next = rename('variables', 1, 'Another');
    expect([next.root, changed(next)]).toEqual([design.root, []]);
  });
});
