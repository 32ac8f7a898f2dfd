import { expect, it } from '@jest/globals';
import type { LoadedInstance } from '../records.js';
import { MemoryInstanceTable } from './memory-instance-table.js';

const tableOf = (...ids: readonly string[]): MemoryInstanceTable => {
  const table = new MemoryInstanceTable();
  for (const id of ids) table.put({ id } as LoadedInstance);
  return table;
};
const idsAfter = (table: MemoryInstanceTable, id?: string): string[] => Array.from(table.after(id), (row) => row.id);

it('gives instances behind an id in the order of ids', () => {
  const table = tableOf('c', 'a', 'b');
  expect(idsAfter(table)).toEqual(['a', 'b', 'c']);
  expect(idsAfter(table, 'a')).toEqual(['b', 'c']);
  expect(idsAfter(table, 'aa')).toEqual(['b', 'c']);
  expect(idsAfter(table, 'c')).toEqual([]);
});

it('keeps the order when instances come, in whatever order, change and go', () => {
  const table = tableOf('b', 'd');
  expect(idsAfter(table)).toEqual(['b', 'd']);
  for (const id of ['e', 'd', 'a', 'c']) table.put({ id } as LoadedInstance);
  expect(idsAfter(table)).toEqual(['a', 'b', 'c', 'd', 'e']);
  table.delete('e');
  table.delete('b');
  expect(idsAfter(table)).toEqual(['a', 'c', 'd']);
  table.put({ id: 'e' } as LoadedInstance);
  table.put({ id: 'b' } as LoadedInstance);
  expect(idsAfter(table)).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const id of ['a', 'b', 'c', 'd', 'e']) table.delete(id);
  expect(idsAfter(table)).toEqual([]);
});

it('reads no instances but those that are asked for', () => {
  const table = tableOf(...Array.from({ length: 1000 }, (_, n) => String(n).padStart(4, '0')));
  let read = 0;
  const { get } = table;
  table.get = (id) => (read++, get.call(table, id));
  for (const { id } of table.after('0499')) if (id === '0509') break;
  expect(read).toBe(10);
});
