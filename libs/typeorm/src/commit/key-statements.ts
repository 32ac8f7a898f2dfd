import type { Statement } from '../database/statement.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { time } from '../rows/column-values.js';
import type { BurstRows } from './burst-rows.js';

/** Takes the keys of a start; fails when another instance has one. */
export function takeKeys(dialect: Dialect, tables: Tables, { burst, isNew }: BurstRows): Statement[] {
  const { instance, requestKey, activationKey } = burst;
  const statements: Statement[] = [];
  if (requestKey !== undefined)
    statements.push(takeRequestKey(dialect, tables.request_keys, requestKey, instance, isNew));
  if (activationKey !== undefined)
    statements.push(takeActivationKey(dialect, tables.activation_keys, activationKey, instance.id, isNew));
  return statements;
}

/** With the time from which on it is kept. An instance that is not new may have it itself. */
function takeRequestKey(
  { fromNothing, bigintParam }: Dialect,
  table: string,
  key: string,
  { id, updatedAt }: BurstRows['burst']['instance'],
  isNew: boolean,
): Statement {
  const into = `INSERT INTO ${table} (request_key, instance_id, created_at)`;
  const params = [key, id, time(updatedAt)];
  if (isNew) return { sql: `${into} VALUES (?, ?, ?)`, params };
  const unless = `SELECT 1 FROM ${table} WHERE request_key = ? AND instance_id = ?`;
  return {
    sql: `${into} SELECT ?, ?, ${bigintParam}${fromNothing} WHERE NOT EXISTS (${unless})`,
    params: [...params, key, id],
  };
}

/** An instance that is not new may have it itself. */
function takeActivationKey(
  { fromNothing }: Dialect,
  table: string,
  key: string,
  instanceId: string,
  isNew: boolean,
): Statement {
  const into = `INSERT INTO ${table} (activation_key, instance_id)`;
  if (isNew) return { sql: `${into} VALUES (?, ?)`, params: [key, instanceId] };
  const unless = `SELECT 1 FROM ${table} WHERE activation_key = ? AND instance_id = ?`;
  return {
    sql: `${into} SELECT ?, ?${fromNothing} WHERE NOT EXISTS (${unless})`,
    params: [key, instanceId, key, instanceId],
  };
}
