import type { ActivityJson } from '../../api/definitions.js';
import type { ActivityDescriptor } from '../../api/descriptors.js';
import type { Design } from './change.js';
import { connectionJson } from './commands.js';
import { historyOf, perform, undo } from './history.js';
import { levelAt } from './level.js';
import { renamedOutcome, setInput, takenPorts } from './outcomes.js';

const descriptor = {
  typeName: 'Elsa.FlowSwitch',
  inputs: [],
  ports: [{ name: 'Default', type: 'Flow' }],
} as unknown as ActivityDescriptor;
const cases = (...labels: string[]) => labels.map((label) => ({ label }));
const design = {
  definitionId: 'd',
  root: {
    id: 'Flow',
    type: 'Elsa.Flowchart',
    activities: [
      { id: 'S', type: 'Elsa.FlowSwitch', cases: cases('Big', 'Small') },
      { id: 'X', type: 'Elsa.WriteLine' },
    ],
    connections: [
      connectionJson({ source: 'S', port: 'Big', target: 'X' }),
      connectionJson({ source: 'S', port: 'Small', target: 'X' }),
      connectionJson({ source: 'X', port: 'Done', target: 'S' }),
    ],
  },
} as unknown as Design;
const portsIn = (now: Design) => levelAt(now, []).connections.map(({ port }) => port);
const withCases = (now: Design, ...labels: string[]) => {
  const level = levelAt(now, []);
  return setInput(now, level, level.activities[0]!, { member: 'cases', value: cases(...labels), descriptor });
};

describe('connections at outcomes', () => {
  it('connections at outcomes follow an outcome that is renamed, letter by letter, as one step of undo', () => {
    let history = historyOf(design);
    for (const label of ['Bi', 'B', 'L', 'La', 'Large'])
      history = perform(history, withCases(history.design, label, 'Small'));
    expect(portsIn(history.design)).toEqual(['Large', 'Small', 'Done']);
    expect((levelAt(history.design, []).activities[0] as ActivityJson).cases).toEqual(cases('Large', 'Small'));
    expect(history.done).toHaveLength(1);
    expect(undo(history).design).toEqual(design);
  });

  it('connections at outcomes stay where they are when an outcome is removed, so that nothing else takes them', () => {
    expect(portsIn(perform(historyOf(design), withCases(design, 'Small')).design)).toEqual(['Big', 'Small', 'Done']);
    expect(takenPorts(levelAt(design, []).connections).get('S')).toEqual(['Big', 'Small']);
  });

  it.each([
    [['A', 'B'], ['A', 'C'], { from: 'B', to: 'C' }],
    [['A', 'B'], ['B', 'A'], undefined],
    [['A', 'B'], ['A', 'B'], undefined],
    [['A', 'B'], ['A'], undefined],
    [['A', 'B'], ['A', ''], undefined],
    [['A', 'B', 'C'], ['A', 'C', 'C'], undefined],
  ])('a change of outcomes from %p to %p is the renaming %p', (before, after, renamed) => {
    expect(renamedOutcome(before, after)).toEqual(renamed);
  });
});
