import { describe, expect, it } from '@jest/globals';
import { DIALECTS } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import { bytesAnywhere, bytesQuoted, quotedAnywhere, withValues } from './mysql-text.js';
import { packetLimits } from './packet-limits.js';

describe('packets of a server', () => {
  it.each([1_048_576, 4_194_304, 16_777_216, 67_108_864])(
    'packets of a server hold every statement: max_allowed_packet = %d',
    (bytes) => {
      const dialect = { ...DIALECTS.mysql, ...packetLimits(bytes, bytesQuoted) };
      const columns = ['id', 'data', ...Array.from({ length: 14 }, (_, n) => `number_${n}`)];
      const numbers = Array.from({ length: 14 }, () => 1_772_360_430_123);
      const longest = Math.floor(dialect.maxStatementChars / 3);
      // Many that are small, or some of which two or three fit into one statement.
      for (const [count, size] of [
        [2_000, 0],
        [2_000, 300],
        [7, longest],
      ] as const) {
        const rows = Array.from({ length: count }, (_, n) => [`id-${n}`, "'表".repeat(size / 2), ...numbers]);
        for (const statement of insertRows(dialect, 't', columns, rows))
          for (const quote of [undefined, quotedAnywhere])
            expect(Buffer.byteLength(withValues(statement, quote))).toBeLessThan(bytes);
      }
    },
  );

  it('packets of a server count the size of a value in a statement', () => {
    for (const text of ['', 'abc', "'", '\\', 'ä', `{"json":"a\\"b'ä表😀"}`]) {
      const statement = { sql: '?', params: [text] };
      expect(bytesQuoted(text)).toBe(Buffer.byteLength(withValues(statement)) - 2);
      expect(bytesAnywhere(text)).toBe(Buffer.byteLength(withValues(statement, quotedAnywhere)) - 2);
    }
  });
});
