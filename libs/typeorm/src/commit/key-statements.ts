import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { time } from '../rows/column-values.js';
import type { BurstRows } from './burst-rows.js';

type KeyName = 'activationKey' | 'requestKey';

const REQUEST_COLUMNS = ['request_key', 'instance_id', 'created_at'];
const ACTIVATION_COLUMNS = ['activation_key', 'instance_id'];

/**
 * Takes the keys of starts; fails when another instance has one. In the order of the keys, so that two groups cannot wait for each
 * other, and in one statement for all that are new.
 */
export function takeKeys(dialect: Dialect, tables: Tables, members: readonly BurstRows[]): Statement[] {
  if (members.every(hasNoKey)) return [];
  const [requests, activations] = [holding(members, 'requestKey'), holding(members, 'activationKey')];
  return [
    ...insertRows(
      dialect,
      tables.request_keys,
      REQUEST_COLUMNS,
      requests.filter(isNew).map(({ burst }) => requestRow(burst)),
    ),
    ...requests.filter(isKnown).map(({ burst }) => {
      const select = `?, ?, ${dialect.bigintParam}`;
      const into = `INSERT INTO ${tables.request_keys} (request_key, instance_id, created_at)`;
      return unlessHeld(dialect, into, select, tables.request_keys, 'request_key', requestRow(burst));
    }),
    ...insertRows(
      dialect,
      tables.activation_keys,
      ACTIVATION_COLUMNS,
      activations.filter(isNew).map(({ burst }) => activationRow(burst)),
    ),
    ...activations.filter(isKnown).map(({ burst }) => {
      const into = `INSERT INTO ${tables.activation_keys} (activation_key, instance_id)`;
      return unlessHeld(dialect, into, '?, ?', tables.activation_keys, 'activation_key', activationRow(burst));
    }),
  ];
}

type Burst = BurstRows['burst'];

const hasNoKey = ({ burst }: BurstRows): boolean => burst.requestKey === undefined && burst.activationKey === undefined;
const isNew = (member: BurstRows): boolean => member.isNew;
const isKnown = (member: BurstRows): boolean => !member.isNew;

const requestRow = ({ requestKey, instance }: Burst) => [requestKey!, instance.id, time(instance.updatedAt)] as const;
const activationRow = ({ activationKey, instance }: Burst) => [activationKey!, instance.id] as const;

function holding(members: readonly BurstRows[], name: KeyName): BurstRows[] {
  return members
    .filter(({ burst }) => burst[name] !== undefined)
    .sort(({ burst: left }, { burst: right }) => (left[name]! < right[name]! ? -1 : 1));
}

/** An instance that is not new may have the key itself. */
function unlessHeld(
  { fromNothing }: Dialect,
  into: string,
  select: string,
  table: string,
  column: string,
  row: readonly [key: string, instanceId: string, ...others: number[]],
): Statement {
  const held = `SELECT 1 FROM ${table} WHERE ${column} = ? AND instance_id = ?`;
  return {
    sql: `${into} SELECT ${select}${fromNothing} WHERE NOT EXISTS (${held})`,
    params: [...row, row[0], row[1]],
  };
}
