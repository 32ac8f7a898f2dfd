import { describe, expect, it } from '@jest/globals';
import { convertValue } from './convert-value.js';
import { createDefaultTypeRegistry } from './default-types.js';

const types = createDefaultTypeRegistry();
const convert = (value: unknown, strict = false): unknown => convertValue(value, types.resolve('Int32')!, { strict });

describe('ValueConversionError', () => {
  it('shows a shortened value and the type, and says what to do', () => {
    const error = thrownBy(() => convert('x'.repeat(500), true));
    expect(error).toMatchObject({ name: 'ValueConversionError', code: 'WM1101', targetType: 'Int32' });
    expect(error.message.length).toBeLessThan(250);
    expect(error.message).toMatch(/^Cannot convert "x+… to a whole number \(Int32\): write a whole number/);
  });

  it('copes with values that have no JSON text', () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    expect(thrownBy(() => convert(cycle)).message).toMatch(
      /^Cannot convert \[object Object\] to a whole number \(Int32\)/,
    );
    expect(thrownBy(() => convert(() => 1)).message).toMatch(/^Cannot convert a function to a whole number \(Int32\)/);
  });
});

function thrownBy(action: () => unknown): Error {
  try {
    action();
  } catch (thrown) {
    return thrown as Error;
  }
  throw new Error('Nothing was thrown.');
}
