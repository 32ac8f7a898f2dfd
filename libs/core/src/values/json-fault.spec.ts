import fc from 'fast-check';
import { amountOf } from '../../../../test/support/depth.js';
import { findJsonFault } from './json-fault.js';

describe('findJsonFault', () => {
  it('finds a fault wherever JSON.parse does, and nowhere else', () => {
    const broken = fc
      .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', 'x', '\n', '0', '\\', ':'))
      .map(([text, at, char]) => {
        const index = at % (text.length + 1);
        return text.slice(0, index) + char + text.slice(index + 1);
      });
    fc.assert(
      fc.property(broken, (text) => {
        let isValid = true;
        try {
          JSON.parse(text);
        } catch {
          isValid = false;
        }
        expect(findJsonFault(text).reason === 'The text is not JSON.').toBe(isValid);
      }),
      { numRuns: amountOf(2000) },
    );
  });

  it.each(['{"emp', '{"', '{"a":"b', '["a', '"', '"a\\', '{"a":"\\u00'])(
    'says that a string is not closed: %s',
    (text) => {
      expect(findJsonFault(text)).toMatchObject({
        reason: "The text ends where it must not: Expected a '\"' that closes the string.",
        index: text.length,
      });
    },
  );

  it('knows the place of a string that is not closed', () => {
    expect(findJsonFault('{"a":[1,"b').steps).toEqual(['a', 1]);
    expect(findJsonFault('{"a":{"emp').steps).toEqual(['a']);
  });

  it('does not run out of stack', () => {
    expect(findJsonFault('['.repeat(100_000)).steps).toHaveLength(100_000);
    expect(findJsonFault(`{"a":"${'x'.repeat(9_000_000)}",}`)).toMatchObject({ steps: [], index: 9_000_008 });
  });
});
