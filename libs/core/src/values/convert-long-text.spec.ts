import { describe, expect, it } from '@jest/globals';
import { convertValue } from './convert-value.js';
import { createDefaultTypeRegistry } from './default-types.js';

const types = createDefaultTypeRegistry();
const type = (alias: string) => types.resolve(alias)!;

describe('convertValue: text from outside', () => {
  const digits = '1'.repeat(300_000);
  const texts = [
    `${digits}x`,
    `${digits}.${digits}x`,
    `1.${digits}x`,
    `1e${digits}`,
    '1.'.repeat(150_000),
    `${' '.repeat(300_000)}x`,
    `2026-01-01${' '.repeat(300_000)}x`,
    '0'.repeat(300_000),
    '9'.repeat(5_000_000),
  ];

  it.each(['Int32', 'Int64', 'Double', 'Decimal', 'DateTime', 'TimeSpan', 'Guid', 'Boolean'])(
    'converts a %s in linear time',
    (alias) => {
      const begin = process.cpuUsage();
      for (const text of texts) convertValue(text, type(alias), { strict: false });
      const { user } = process.cpuUsage(begin);
      // A tenth of it would do; with the square of the length, each takes a minute.
      expect(user).toBeLessThan(3_000_000);
    },
  );

  it.each<[string, unknown]>([
    ['1.', 1],
    ['.5', 0.5],
    ['1.5e3', 1500],
    [' +7 ', 7],
    ['.', 0],
    ['1.2.3', 0],
  ])('reads %j as a Double', (text, expected) => expect(convertValue(text, type('Double'))).toBe(expected));
});
