import type { EndedClaims, NodeOfProcess, StoreTime } from '@waymark/runtime/adapter';
import type { Work } from '../database/sql-database.js';
import type { SqlValue, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Dialect } from '../dialect/dialect.js';
import { sqlTime, type SqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import { time } from '../rows/column-values.js';

/** Of each table, in one transaction. A node claims fewer, unless many waits of one instance are due. */
const MOST_CLAIMS = 1000;

/** Claims of one table. */
interface Claims {
  readonly table: string;
  readonly key: string;
  /** When they end. */
  readonly ends: string;
  /** Those that hold, found by an index. */
  readonly held: Conditions;
  readonly index: string;
}

/** The row of a node, as long as it names that process. */
export function rowOf(dialect: Dialect, node: NodeOfProcess): Conditions {
  return new Conditions(dialect)
    .equals('name', node.name)
    .equals('machine', node.process.machine)
    .equals('process', processText(node))
    .equals('started_at', time(node.startedAt));
}

/** With the start of the node: one of the version before replaces that under the same name, and leaves the process as it is. */
export function processText({ startedAt, process }: Pick<NodeOfProcess, 'startedAt' | 'process'>): string {
  return `${time(startedAt)} ${process.id}`;
}

/**
 * The row of the node is locked meanwhile. A process that begins under the same name replaces that row before it claims anything, so
 * its claims are never ended here. Rows are looked for without locks: most that are read are others'.
 */
export function* endingClaims(
  dialect: Dialect,
  tables: Tables,
  node: NodeOfProcess,
  given: StoreTime,
): Work<EndedClaims | undefined> {
  const { where, params } = rowOf(dialect, node);
  const [fence] = yield [{ sql: `SELECT name FROM ${tables.nodes}${where}${dialect.lockNow}`, params }];
  if (fence!.rows.length === 0) return undefined;
  const now = sqlTime(dialect, given);
  const claims = claimsOf(dialect, tables, node.name, now);
  const found = yield claims.map(finding);
  const ended: EndedClaims[] = [];
  for (const [index, { rows }] of found.entries())
    if (rows.length > 0)
      ended.push(
        yield* ending(
          dialect,
          claims[index]!,
          rows.map(({ claim }) => claim as SqlValue),
          now,
        ),
      );
  return {
    ended: ended.reduce((sum, each) => sum + each.ended, 0),
    isComplete: ended.every(({ isComplete }) => isComplete),
  };
}

function finding({ table, key, held: { where, params }, index }: Claims): Statement {
  return { sql: `SELECT ${key} AS claim FROM ${table}${index}${where} LIMIT ${MOST_CLAIMS}`, params };
}

function* ending(
  dialect: Dialect,
  { table, key, ends, held }: Claims,
  keys: readonly SqlValue[],
  now: SqlTime,
): Work<EndedClaims> {
  const among = (some: readonly SqlValue[]) => new Conditions(dialect).oneOf(key, some as readonly (string | number)[]);
  const chosen = among(keys).anyOf(held);
  // What another transaction has locked is being committed, or was when its process ended: the next call finds out.
  const [locked] = yield [
    {
      sql: `SELECT ${key} AS claim FROM ${table}${dialect.byPrimaryKey}${chosen.where}${dialect.skipLocked}`,
      params: chosen.params,
    },
  ];
  const left = locked!.rows.map(({ claim }) => claim as SqlValue);
  if (left.length > 0) {
    const { where, params } = among(left);
    yield [{ sql: `UPDATE ${table} SET ${ends} = ${now.sql}${where}`, params: [...now.params, ...params] }];
  }
  return { ended: left.length, isComplete: left.length === keys.length && keys.length < MOST_CLAIMS };
}

function claimsOf(
  dialect: Dialect,
  { outbox, bookmarks, bulk_batches: batches }: Tables,
  owner: string,
  now: SqlTime,
): Claims[] {
  const later = (column: string) => new Conditions(dialect).add(`${column} > ${now.sql}`, ...now.params);
  return [
    {
      table: outbox,
      key: 'seq',
      ends: 'ready_at',
      // The head start of a message is its writer's, and needs no claim. What was tried before waits for the end of its claim: processes
      // that end again and again, for whatever reason, would use up the attempts of all that they serve within seconds.
      held: later('ready_at')
        .add('attempts = 0')
        .add('(claimed_by = ? OR (claimed_by IS NULL AND written_by = ?))', owner, owner),
      index: dialect.byIndex(outbox, 'ready_at'),
    },
    {
      table: bookmarks,
      key: 'id',
      ends: 'claimed_until',
      // Only what is due is claimed, and that is in an index.
      held: later('claimed_until')
        .add('claimed_by = ?', owner)
        .add(`due_at <= ${now.sql}`, ...now.params),
      index: dialect.byIndex(bookmarks, 'due_at'),
    },
    {
      table: batches,
      key: 'id',
      ends: 'claimed_until',
      // As of messages: one whose node died before is left to its lease.
      held: later('claimed_until').add('attempts <= 0').add('claimed_by = ?', owner),
      index: '',
    },
  ];
}
