import type { Row, Statement } from '../database/statement.js';
import { lockRows } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { fittingParts, insertRows } from '../dialect/insert-rows.js';
import { rowLists } from '../dialect/row-lists.js';
import { ValueList } from '../dialect/value-list.js';
import { WRITTEN_INSTANCE } from '../instances/instance-rows.js';
import { toNumber, toText } from '../rows/column-values.js';
import type { BurstRows } from './burst-rows.js';

const [, ...CHANGED] = WRITTEN_INSTANCE;
const ASSIGNMENTS = CHANGED.map((column) => `${column} = ?`).join(', ');
/** By table: as for rows of inserts, the same text each time. */
const UPDATES = new Map<string, string>();

/** Rows of those that are new. An id that is there already fails. */
export function insertInstances(dialect: Dialect, instances: string, members: readonly BurstRows[]): Statement[] {
  return insertRows(
    dialect,
    instances,
    WRITTEN_INSTANCE,
    sorted(members.filter(({ isNew }) => isNew)).map(({ instance }) => instance),
  );
}

/** Waits for the holder of the row, then fails unless the revision is still the expected one. */
export function updateInstance(instances: string, { burst, instance }: BurstRows): Statement {
  const { expectedRevision = 0 } = burst;
  const [id, ...changed] = instance;
  let sql = UPDATES.get(instances);
  if (sql === undefined)
    UPDATES.set(instances, (sql = `UPDATE ${instances} SET ${ASSIGNMENTS} WHERE id = ? AND revision = ?`));
  return {
    sql,
    params: [...changed, id!, expectedRevision],
    expect: { affected: 1 },
  };
}

/**
 * Several rows: locks them all, fails unless each has the expected revision, then overwrites them. The lock does not wait
 * and is taken in the order of the ids: no writer is held up by the instance of another, and two groups that have instances
 * in common cannot lock each other out. Where rows are not written from lists, overwritten by an INSERT that meets known ids: the one
 * form of an UPDATE with different values for many rows that all other databases know.
 */
export function updateInstancesAtOnce(dialect: Dialect, instances: string, members: readonly BurstRows[]): Statement[] {
  if (members.length === 0) return [];
  const inOrder = sorted(members);
  const rows = inOrder.map(({ instance }) => instance);
  const expected = new Map(inOrder.map(({ burst }) => [burst.instance.id, burst.expectedRevision]));
  const lock = lockRows(dialect, instances, 'id, revision', [...expected.keys()]);
  return [
    {
      ...lock,
      expect: {
        rows: (rows: readonly Row[]) =>
          rows.length === members.length &&
          rows.every((row) => expected.get(toText(row.id)) === toNumber(row.revision)),
      },
    },
    ...(dialect.hasLists ? overwriteFromLists(dialect, instances, rows) : overwriteKnown(dialect, instances, rows)),
  ];
}

type Rows = readonly BurstRows['instance'][];

function overwriteKnown(dialect: Dialect, instances: string, rows: Rows): Statement[] {
  const overwrite = CHANGED.map((column) => `${column} = ${dialect.newValue(column)}`).join(', ');
  return insertRows(dialect, instances, WRITTEN_INSTANCE, rows, `${dialect.onKnown('id')} ${overwrite}`);
}

function overwriteFromLists({ maxStatementChars }: Dialect, instances: string, rows: Rows): Statement[] {
  return fittingParts(rows, maxStatementChars).map((part) => {
    const { values, source, params } = rowLists(WRITTEN_INSTANCE, part);
    const [id, ...changed] = values;
    const set = CHANGED.map((column, index) => `${column} = ${changed[index]}`).join(', ');
    // By their ids as well: joined alone, a plan that was made for few rows may go through all instances.
    const ids = new ValueList(
      part.map(([given]) => given as string),
      false,
    );
    return {
      sql: `UPDATE ${instances} AS stored SET ${set} FROM ${source} WHERE stored.id = ${id} AND stored.id = ANY(?)`,
      params: [...params, ids],
      expect: { affected: part.length },
    };
  });
}

function sorted(members: readonly BurstRows[]): BurstRows[] {
  return members.toSorted((a, b) => (a.burst.instance.id < b.burst.instance.id ? -1 : 1));
}
