import { definitionIdFor, freeId } from './definition-ids.js';

describe('ids of definitions', () => {
  it.each([
    ['Leave request (2026)', 'leave-request-2026'],
    ['Žaliasis kelias', 'zaliasis-kelias'],
    ['  --  ', ''],
  ])('%s becomes %s', (name, id) => expect(definitionIdFor(name)).toBe(id));

  it('ids of definitions get a number when they are taken', () => {
    const taken = new Set(['a', 'a-2']);
    expect(freeId('a', (id) => taken.has(id))).toBe('a-3');
    expect(freeId('b', (id) => taken.has(id))).toBe('b');
  });
});
