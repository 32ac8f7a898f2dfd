import { describe, expect, it } from '@jest/globals';
import { placeAmong } from './level.js';

const node = (id: string, x?: number, y?: number) => ({
  id,
  type: 'Elsa.WriteLine',
  version: 1,
  metadata: x === undefined ? {} : { designer: { position: { x, y } } },
});

describe('places of activities', () => {
  const placesOf = (activities: readonly ReturnType<typeof node>[]) =>
    activities.map((activity) => placeAmong(activities, activity));

  it('places of activities are those that are stored', () => {
    expect(placesOf([node('A', 0, 0), node('B', 300, 0), node('C')])).toEqual([
      { x: 0, y: 0 },
      { x: 300, y: 0 },
      undefined,
    ]);
  });

  it('places of activities are missing where several are at (0, 0)', () => {
    expect(placesOf([node('A', 0, 0), node('B', 0, 0), node('C', 300, 0)])).toEqual([
      undefined,
      undefined,
      { x: 300, y: 0 },
    ]);
  });
});
