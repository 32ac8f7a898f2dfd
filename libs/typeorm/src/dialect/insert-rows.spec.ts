import { describe, expect, it } from '@jest/globals';
import { DIALECTS } from './dialect.js';
import { insertRows } from './insert-rows.js';

const COLUMNS = ['id', 'data'];

describe.each(Object.values(DIALECTS))('rows of an insert on $family', (dialect) => {
  it('rows of an insert need no statement if there are none', () => {
    expect(insertRows(dialect, 'wm_outbox', COLUMNS, [])).toEqual([]);
  });

  it('rows of an insert are written by their values if there is one, which may be of any table, columns and suffix', () => {
    const suffix = dialect.ignoreKnown('id');
    const one = (table: string, columns: readonly string[], more = '') =>
      insertRows(dialect, table, columns, [['a', 'b']], more);
    const text = (table: string, columns: string, more = '') => [
      { sql: `INSERT INTO ${table} (${columns}) VALUES (?, ?)${more}`, params: ['a', 'b'] },
    ];
    for (let time = 0; time < 2; time++) {
      expect(one('wm_outbox', COLUMNS)).toEqual(text('wm_outbox', 'id, data'));
      expect(one('wm_outbox', COLUMNS, suffix)).toEqual(text('wm_outbox', 'id, data', suffix));
      expect(one('other_outbox', COLUMNS)).toEqual(text('other_outbox', 'id, data'));
      expect(one('wm_outbox', ['id', 'kind'])).toEqual(text('wm_outbox', 'id, kind'));
    }
  });
});
