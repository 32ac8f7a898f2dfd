import { describe, expect, it } from '@jest/globals';
import { createDefaultTypeRegistry } from './default-types.js';
import { enumNumber } from './enum-value.js';
import type { ValueType } from './value-type.js';

describe('enumNumber', () => {
  const types = createDefaultTypeRegistry();
  const status = types.resolve('HttpStatusCode') as ValueType;
  const mode = types.resolve('FlowJoinMode') as ValueType;

  it.each([
    ['OK', 200],
    ['ok', 200],
    ['TemporaryRedirect', 307],
    ['200', 200],
    ['299', 299],
    [299, 299],
    ['Nope', undefined],
    [null, undefined],
  ])('the enum number of %p is %p', (value, expected) => {
    expect(enumNumber(value, status)).toBe(expected);
  });

  it('is the position where the enum names no numbers', () => {
    expect(enumNumber('WaitAllActive', mode)).toBe(1);
  });
});
