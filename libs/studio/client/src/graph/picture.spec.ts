import type { ActivityJson } from '../api/definitions.js';
import { childrenOf, findByNodeId, pictureOf } from './picture.js';

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

  it('finds what stands in the ports of an activity, and takes no expression for one', () => {
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
  });
});
