import { withOriginalNames } from './route-values.js';

describe('withOriginalNames', () => {
  it('reads a parameter by its name in the template, also one that all objects have', () => {
    const values = withOriginalNames({ tostring: 'x', valueof: 'y' }, 'a/{toString}/{valueOf}');
    const read = values as unknown as { toString: unknown; valueOf: unknown };
    expect([read.toString, read.valueOf]).toEqual(['x', 'y']);
    expect(Object.keys(values)).toEqual(['tostring', 'valueof']);
  });
});
