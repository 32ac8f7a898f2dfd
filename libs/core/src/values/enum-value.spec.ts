import { describe, expect, it } from '@jest/globals';
import { createDefaultTypeRegistry } from './default-types.js';
import { enumMember } from './enum-value.js';
import type { ValueType } from './value-type.js';

describe('the member of an enum', () => {
  const types = createDefaultTypeRegistry();
  const status = types.resolve('HttpStatusCode') as ValueType;
  const mode = types.resolve('FlowJoinMode') as ValueType;

  it.each([
    ['OK', 'OK'],
    [' ok ', 'OK'],
    ['404', 'NotFound'],
    [200, 'OK'],
    ['299', 299],
    [299, 299],
    ['Nope', undefined],
  ])('a member of an enum is found: for %p, it is %p', (value, expected) => {
    expect(enumMember(value, status)).toBe(expected);
  });

  it('is the one at that position where the enum names no numbers', () => {
    expect(enumMember(1, mode)).toBe('WaitAllActive');
  });
});
