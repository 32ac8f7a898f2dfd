import { NODE_WIDTH, rowOf } from './row.js';

const nodes = ['C', 'A', 'B'].map((id) => ({ id }));
const edge = (source: string, target: string) => ({ id: `${source}-${target}`, source, target });

describe('a picture that is a line', () => {
  it('the nodes of a line stand in a row, in the order of their edges, without an engine', () => {
    const places = rowOf({ nodes, edges: [edge('A', 'B'), edge('B', 'C')] }, 90)!;
    const step = NODE_WIDTH + 90;
    expect([...places]).toEqual([
      ['A', { x: 0, y: 0 }],
      ['B', { x: step, y: 0 }],
      ['C', { x: 2 * step, y: 0 }],
    ]);
  });

  it('nodes of different heights have their middle in one row', () => {
    const tall = [
      { id: 'A', height: 56 },
      { id: 'B', height: 96 },
    ];
    const places = rowOf({ nodes: tall, edges: [edge('A', 'B')] }, 90)!;
    expect([places.get('A')!.y, places.get('B')!.y]).toEqual([20, 0]);
  });

  it.each([
    ['branches', [edge('A', 'B'), edge('A', 'C')]],
    ['joins', [edge('A', 'C'), edge('B', 'C')]],
    ['is a circle with something beside it', [edge('A', 'B'), edge('B', 'A')]],
    ['has parts that are not connected', [edge('A', 'B')]],
  ])('a picture that %s is left to the layout engine', (_, edges) => {
    expect(rowOf({ nodes, edges }, 90)).toBeUndefined();
  });
});
