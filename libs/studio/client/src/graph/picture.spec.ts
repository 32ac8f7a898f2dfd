import type { ActivityJson } from '../api/definitions.js';
import { childrenOf, containersAround, findByNodeId, pictureOf } from './picture.js';

const line = (id: string, more: object = {}): ActivityJson => ({
  id,
  nodeId: `W:${id}`,
  type: 'Elsa.WriteLine',
  ...more,
});
const at = (x: number, y: number) => ({ metadata: { designer: { position: { x, y } } } });

describe('the picture of a definition', () => {
  it('shows a flowchart by its connections', () => {
    const flowchart: ActivityJson = {
      id: 'Flow',
      type: 'Elsa.Flowchart',
      activities: [line('A', at(1, 2)), line('B')],
      connections: [{ source: { activity: 'A', port: 'True' }, target: { activity: 'B', port: 'In' } }],
    };
    const { nodes, edges, hasPositions } = pictureOf(flowchart);
    expect(nodes.map(({ id, position, outcomes }) => ({ id, position, outcomes }))).toEqual([
      { id: 'A', position: { x: 1, y: 2 }, outcomes: ['True'] },
      { id: 'B', position: undefined, outcomes: [] },
    ]);
    expect(edges).toEqual([{ id: '0:A-B', source: 'A', target: 'B', outcome: 'True' }]);
    expect(hasPositions).toBe(false);
  });

  it('shows a sequence in its order', () => {
    const sequence: ActivityJson = { id: 'S', type: 'Elsa.Sequence', activities: [line('A'), line('B'), line('C')] };
    expect(pictureOf(sequence).edges.map(({ source, target }) => `${source}>${target}`)).toEqual(['A>B', 'B>C']);
  });

  it('shows a single step, and an empty flowchart as empty', () => {
    expect(pictureOf(line('A')).nodes.map(({ id }) => id)).toEqual(['A']);
    expect(pictureOf({ id: 'F', type: 'Elsa.Flowchart', activities: [] }).nodes).toEqual([]);
  });

  it('finds the activities in the ports of an activity, and does not confuse expressions with them', () => {
    const branch: ActivityJson = {
      id: 'If',
      nodeId: 'W:If',
      type: 'Elsa.If',
      condition: { typeName: 'Boolean', expression: { type: 'Literal', value: true } },
      then: line('Yes'),
      else: line('No'),
    };
    expect(childrenOf(branch).map(({ port, activity }) => [port, activity.id])).toEqual([
      ['then', 'Yes'],
      ['else', 'No'],
    ]);
    expect(findByNodeId(branch, 'W:No')?.id).toBe('No');
    expect(findByNodeId(branch, 'W:Other')).toBeUndefined();
    const steps = { id: 'Steps', nodeId: 'W:Steps', type: 'Elsa.Sequence', activities: [line('First'), branch] };
    expect(containersAround(steps, 'W:No')).toEqual(['W:If']);
    expect(containersAround(steps, 'W:First')).toEqual([]);
    expect(containersAround(steps, 'W:Other')).toBeUndefined();
  });

  it('shows a state machine as states, each by what it waits for or what it begins with', () => {
    const machine: ActivityJson = {
      id: 'M',
      nodeId: 'W:M',
      type: 'Elsa.StateMachine',
      states: [{ name: 'Open' }, { name: 'Done', entry: line('Bye') }, { name: 'Lost' }],
      transitions: [
        { from: 'Open', to: 'Done', trigger: line('Close') },
        { from: 'Done', to: 'Open', trigger: null },
        { from: 'Open', to: 'Nowhere', trigger: line('Other') },
      ],
      metadata: { designer: { states: { Open: { x: 1, y: 2 } } } },
    };
    const { nodes, edges, hasPositions } = pictureOf(machine);
    expect(nodes.map(({ id, nodeId, position }) => [id, nodeId, position])).toEqual([
      ['Open', 'W:Close', { x: 1, y: 2 }],
      ['Done', 'W:Bye', undefined],
      ['Lost', 'W:M:Lost', undefined],
    ]);
    expect(edges.map(({ source, target }) => `${source}>${target}`)).toEqual(['Open>Done', 'Done>Open']);
    expect(hasPositions).toBe(false);
    expect(findByNodeId(machine, 'W:Other')?.id).toBe('Other');
  });
});
