import { expect, it } from '@jest/globals';
import type { UserTaskFilter } from '@waymark/runtime/adapter';
import { listedSchedules } from '../schedules/listed-schedules.js';
import { listPage } from '../user-tasks/task-pages.js';
import { Conditions } from './conditions.js';
import { DIALECTS } from './dialect.js';
import { tableNames } from './tables.js';

/** More than fit on the stack as the arguments of one call. */
const ids = Array.from({ length: 200_000 }, (_, n) => `id-${n}`);
const tables = tableNames('waymark_');
const { mysql } = DIALECTS;

it('filters of lists have more parameters than a call has room for', () => {
  const one = new Conditions(mysql).oneOf('id', ids);
  const either = new Conditions(mysql).anyOf(one, new Conditions(mysql).equals('name', 'last'));
  expect([either.params.length, either.params.at(-1)]).toEqual([ids.length + 1, 'last']);
  const { page, count } = listedSchedules(mysql, tables, { ids }, { skip: 0, take: 7 });
  expect(page.params.slice(-4)).toEqual(['id-199999', 7, 7, 0]);
  expect([page.params.length, count.params.length]).toEqual([4 * (ids.length + 1) + 2, 4 * ids.length]);
  const filter: UserTaskFilter = { names: ids };
  const tasks = listPage(mysql, tables, ['a', 'b'], { filter, order: 'Oldest', cursor: undefined, limit: 5 });
  expect(tasks.params.filter((param) => param === 5)).toHaveLength(3);
  expect([tasks.params[0], tasks.params[ids.length + 2], tasks.params.length]).toEqual([
    'a',
    'b',
    2 * (ids.length + 2) + 1,
  ]);
});
