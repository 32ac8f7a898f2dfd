import { apart, type Box } from './arrange.js';

const box = (id: string, x: number, y: number, height = 56): Box => ({ id, x, y, height });
const wanted = new Map([
  ['B', { x: 0, y: 0 }],
  ['C', { x: 0, y: 40 }],
]);

it('activities without a place keep that of the layout where none has a place', () => {
  expect(apart(wanted, [], [box('B', 0, 0), box('C', 0, 0)])).toBe(wanted);
});

it('activities without a place stand below what they would cover, and below each other', () => {
  const places = apart(wanted, [box('A', 60, 10)], [box('B', 0, 0, 100), box('C', 0, 0)]);
  expect([...places]).toEqual([
    ['B', { x: 0, y: 106 }],
    ['C', { x: 0, y: 246 }],
  ]);
});
