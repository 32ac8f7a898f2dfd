import { expect, it } from '@jest/globals';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Row, Statement } from '../database/statement.js';
import { DIALECTS } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { serialize } from '../rows/stored-text.js';
import { TypeOrmBulkPlanStore } from './typeorm-bulk-plan-store.js';

it('what a plan is going to delete is read once by a node, and forgotten when the plan has ended', async () => {
  const plans = new Map([['p', serialize({ definitionIds: ['a'] }, 'deletes')]]);
  const lists: string[] = [];
  const database = {
    dialect: DIALECTS.sqlite,
    read: async ({ sql, params }: Statement): Promise<Row[]> => {
      if (!sql.startsWith('SELECT id, deletes')) return [...plans.keys()].map((id) => ({ id }));
      const ids = params.flat() as string[];
      lists.push(...ids);
      // One that has been removed meanwhile has no row.
      return ids.filter((id) => id !== 'removed').map((id) => ({ id, deletes: plans.get(id)! }));
    },
  } as unknown as SqlDatabase;
  const store = new TypeOrmBulkPlanStore(database, { bulk_plans: 'plans' } as Tables);
  for (const _ of [1, 2]) expect(await store.findDeletions()).toEqual([{ definitionIds: ['a'] }]);
  expect(lists).toEqual(['p']);
  plans.set('q', serialize({ definitionVersionIds: ['v'] }, 'deletes')).set('removed', '');
  for (const _ of [1, 2])
    expect(await store.findDeletions()).toEqual(
      expect.arrayContaining([{ definitionIds: ['a'] }, { definitionVersionIds: ['v'] }]),
    );
  expect(lists).toEqual(['p', 'q', 'removed', 'removed']);
  plans.clear();
  expect(await store.findDeletions()).toEqual([]);
  plans.set('p', serialize({ definitionIds: ['b'] }, 'deletes'));
  expect(await store.findDeletions()).toEqual([{ definitionIds: ['b'] }]);
});
