import { expect, it } from '@jest/globals';
import { countsOf, fullestFirst, nameOf } from './standing-counts.js';

const node = (activityNodeId: string | undefined, waiting: number, faulted: number) => ({
  ...(activityNodeId === undefined ? {} : { activityNodeId }),
  waiting,
  faulted,
});
const nodes = [node('W:Flow:A', 3, 0), node('W:Flow:If:B', 1, 1), node('W:Flow:If:C', 0, 4), node(undefined, 9, 0)];

it('adds up counts in containers, and omits those without a place', () => {
  const counts = countsOf({ definitionVersionId: 'v', version: 1, running: 0, faulted: 0, nodes: nodes.slice(0, 3) });
  expect(counts.get('W:Flow:A')).toEqual({ waiting: 3, faulted: 0, share: 0.75 });
  expect(counts.get('W:Flow:If')).toEqual({ waiting: 1, faulted: 5, share: 1 });
  expect(counts.get('W')).toEqual({ waiting: 4, faulted: 5, share: 1 });
});

it('lists the fullest places first, by the names that the picture has', () => {
  expect(fullestFirst(nodes).map(({ activityNodeId }) => activityNodeId)).toEqual([
    undefined,
    'W:Flow:If:C',
    'W:Flow:A',
    'W:Flow:If:B',
  ]);
  const root = { id: 'Flow', nodeId: 'W:Flow', type: 'Elsa.Sequence' };
  const step = { id: 'A', nodeId: 'W:Flow:A', type: 'Elsa.Event', metadata: { displayText: 'Approval' } };
  expect(nameOf({ ...root, activities: [step] }, 'W:Flow:A')).toBe('Approval');
  expect(nameOf(undefined, 'W:Flow:A')).toBe('A');
});
