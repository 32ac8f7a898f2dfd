import type { ActivityExecutionContext } from '@waymark/core';
import { canBeMadeLater } from './later-requests.js';

/** A request whose content is evaluated again, in a burst with that input. */
function canBeMade(input: unknown, content: unknown = 'the part of-the-caller'): boolean {
  const secrets = { holdsReceived: () => false, isWithheld: () => false };
  const ctx = { activity: {}, node: { evaluatedInputs: [] }, workflow: { secrets, input } };
  const request = { url: 'http://host/', headers: [] } as never;
  return canBeMadeLater(ctx as unknown as ActivityExecutionContext, request, content, [content]);
}

/** Each level has the next one twice: as many places as 2 to the power of the levels. */
function shared(levels: number): object {
  let value: object = { isEmpty: true };
  for (let level = 0; level < levels; level++) value = { left: value, right: value };
  return value;
}

function cyclic(more: object = {}): object {
  const value: Record<string, unknown> = { ...more };
  value.self = value;
  return { list: [value] };
}

describe('a request that waits for a retry', () => {
  it.each<[string, unknown, boolean]>([
    ['nothing of the input', { token: 'another' }, true],
    ['a part of the input', { deep: [{ token: 'of-the-caller' }] }, false],
    ['a part that stands in a map', { headers: new Map([['token', 'of-the-caller']]) }, false],
    ['a part that is the key of a map', { headers: new Map([['of-the-caller', 1]]) }, false],
    ['a part that stands in a set', { tokens: new Set(['of-the-caller']) }, false],
    ['nothing of an input that contains itself', cyclic(), true],
    ['a part of an input that contains itself', cyclic({ token: 'of-the-caller' }), false],
    ['nothing of an input whose parts stand in many places', shared(60), true],
    ['an input too large to be searched', { list: Array.from({ length: 20_000 }, () => ({})) }, false],
    ['an input with too many texts', { list: Array.from({ length: 1001 }, (_, n) => `text ${n}`) }, false],
  ])('may be stored unless a part of the input is lost: %s', (_, input, expected) => {
    expect(canBeMade(input)).toBe(expected);
  });

  it('a request that waits for a retry is not stored where what is evaluated again is too large to be searched', () => {
    const tokens = Array.from({ length: 100 }, (_, n) => `token ${n}`);
    expect([10, 500_000].map((length) => canBeMade({ tokens }, 'x'.repeat(length)))).toEqual([true, false]);
    expect(canBeMade({ token: 'another' }, { list: Array.from({ length: 20_000 }, () => ({})) })).toBe(false);
  });
});
