import { readJournalValue } from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { toText } from '../rows/column-values.js';

/** Which of these values an instance has already. */
export async function knownValues(
  database: SqlDatabase,
  tables: Tables,
  instanceId: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await select(database, tables, 'hash', instanceId, hashes);
  return new Set(rows.map((row) => toText(row.hash)));
}

export async function readValues(
  database: SqlDatabase,
  tables: Tables,
  instanceId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const rows = await select(database, tables, 'hash, data', instanceId, hashes);
  return new Map(rows.map((row) => [toText(row.hash), readJournalValue(toText(row.data))]));
}

/** Goes through the instances that have values, in order of their ids, and begins again at the end. */
export class OrphanedValues {
  private after = '';

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async purge(limit: number): Promise<number> {
    const { journal_values: values, instances } = this.tables;
    const sql = `SELECT DISTINCT instance_id FROM ${values} WHERE instance_id > ? ORDER BY instance_id LIMIT ?`;
    const ids = (await this.database.read({ sql, params: [this.after, limit] })).map((row) => toText(row.instance_id));
    this.after = ids.length < limit ? '' : (ids.at(-1) ?? '');
    if (ids.length === 0) return 0;
    const { dialect } = this.database;
    const { where, params } = new Conditions(dialect).oneOf('id', ids);
    const found = await this.database.read({ sql: `SELECT id FROM ${instances}${where}`, params });
    const there = new Set(found.map((row) => toText(row.id)));
    const gone = ids.filter((id) => !there.has(id));
    const statements = deleteRows(dialect, values, 'instance_id', gone);
    if (statements.length > 0) await this.database.transact(() => inOneGo(statements));
    return ids.length;
  }
}

function select(
  database: SqlDatabase,
  { journal_values }: Tables,
  columns: string,
  instanceId: string,
  hashes: readonly string[],
): Promise<readonly Row[]> {
  const { where, params } = new Conditions(database.dialect)
    .equals('instance_id', instanceId)
    .oneOf('hash', [...new Set(hashes)]);
  return database.read({ sql: `SELECT ${columns} FROM ${journal_values}${where}`, params });
}
