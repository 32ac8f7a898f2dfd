import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { lookups } from '../database/lookups.js';
import { chunksOf, type Row, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import type {
  InstanceFilter,
  InstanceOrder,
  InstanceStore,
  InterruptedOptions,
  LoadedInstance,
  Page,
  PagedResult,
  TimestampFilter,
  WorkflowInstanceSummary,
} from '@waymark/runtime';
import { time, toNumber, toText } from '../rows/column-values.js';
import { pageOf } from '../rows/paging.js';
import { INSTANCE_COLUMNS, SUMMARY_COLUMNS, toInstance, toSummary } from './instance-rows.js';

const ORDER_COLUMNS: Record<InstanceOrder['by'], string> = {
  Created: 'created_at',
  UpdatedAt: 'updated_at',
  Finished: 'finished_at',
  Name: 'name',
};

const TIMESTAMP_COLUMNS: Record<TimestampFilter['column'], string> = {
  CreatedAt: 'created_at',
  UpdatedAt: 'updated_at',
  FinishedAt: 'finished_at',
};

const OPERATORS: Record<Exclude<TimestampFilter['operator'], 'IsNot'>, string> = {
  Is: '=',
  LessThan: '<',
  GreaterThan: '>',
  LessThanOrEqual: '<=',
  GreaterThanOrEqual: '>=',
};

const ALL = ['id', ...INSTANCE_COLUMNS].join(', ');

const SEARCHED = ['id', 'definition_id', 'definition_version_id', 'correlation_id', 'name'];

// One transaction each, so that removing a hundred thousand instances locks nothing for long.
const DELETE_CHUNK = 200;

export class TypeOrmInstanceStore implements InstanceStore {
  private readonly find: (id: string) => Promise<Row | undefined>;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {
    this.find = lookups(database, (ids) => this.findRows(ids));
  }

  async load(id: string): Promise<LoadedInstance | undefined> {
    const row = await this.find(id);
    return row && toInstance(row);
  }

  async touch(ids: readonly string[], now?: Date): Promise<void> {
    const { dialect } = this.database;
    const at = sqlTime(dialect, { now });
    const { where, params } = new Conditions(dialect).oneOf('id', [...ids].sort()).flag('is_executing', true);
    const statement = {
      sql: `UPDATE ${this.tables.instances} SET updated_at = ${at.sql}${where}`,
      params: [...at.params, ...params],
    };
    await this.database.transact(() => inOneGo([statement]));
  }

  async findInterrupted({ quietMs, limit, ...given }: InterruptedOptions): Promise<string[]> {
    const { dialect } = this.database;
    const before = shifted(dialect, sqlTime(dialect, given), -quietMs);
    const { where, params } = new Conditions(dialect)
      .flag('is_executing', true)
      .equals('status', 'Running')
      .add(`updated_at < ${before.sql}`, ...before.params);
    const rows = await this.database.read({
      sql: `SELECT id FROM ${this.tables.instances}${where} ORDER BY updated_at, id LIMIT ?`,
      params: [...params, limit],
    });
    return rows.map((row) => toText(row.id));
  }

  async findMany(
    filter: InstanceFilter,
    order: InstanceOrder = { by: 'Created', direction: 'Descending' },
    page?: Page,
  ): Promise<PagedResult<WorkflowInstanceSummary>> {
    const { orderBy } = this.database.dialect;
    const sorting = [orderBy(ORDER_COLUMNS[order.by], order.direction), orderBy('id', order.direction)].join(', ');
    return pageOf(page, {
      rows: async (window) =>
        (await this.select(SUMMARY_COLUMNS.join(', '), filter, ` ORDER BY ${sorting}`, window)).map(toSummary),
      count: () => this.count(filter),
    });
  }

  async findIds(filter: InstanceFilter): Promise<string[]> {
    const rows = await this.select('id', filter, ' ORDER BY id');
    return rows.map((row) => toText(row.id));
  }

  async count(filter: InstanceFilter): Promise<number> {
    const [row] = await this.select('COUNT(*) AS matching', filter);
    return toNumber(row?.matching);
  }

  async delete(ids: readonly string[]): Promise<number> {
    let count = 0;
    for (const chunk of chunksOf([...new Set(ids)].sort(), DELETE_CHUNK)) {
      const [instances] = await this.database.transact(() => inOneGo(this.deletion(chunk)));
      count += instances?.affected ?? 0;
    }
    return count;
  }

  /** By key after a look: deleting by time would lock the keys that are being taken meanwhile. */
  async purgeRequestKeys(before: Date, limit: number): Promise<number> {
    const { request_keys } = this.tables;
    const sql = `SELECT request_key FROM ${request_keys} WHERE created_at < ? ORDER BY created_at LIMIT ?`;
    const rows = await this.database.read({ sql, params: [time(before), limit] });
    if (rows.length === 0) return 0;
    const keys = rows.map((row) => toText(row.request_key)).sort();
    const statements = chunksOf(keys, DELETE_CHUNK).flatMap((chunk) =>
      deleteRows(this.database.dialect, request_keys, 'request_key', chunk),
    );
    const results = await this.database.transact(() => inOneGo(statements));
    return results.reduce((sum, { affected }) => sum + affected, 0);
  }

  private async findRows(ids: readonly string[]): Promise<(Row | undefined)[]> {
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', [...new Set(ids)]);
    const rows = await this.database.read({ sql: `SELECT ${ALL} FROM ${this.tables.instances}${where}`, params });
    const byId = new Map(rows.map((row) => [toText(row.id), row]));
    return ids.map((id) => byId.get(id));
  }

  /** The instance first, as in a commit: whoever has its row is alone with everything that belongs to it. */
  private deletion(ids: readonly string[]): Statement[] {
    const { instances, bookmarks, journal, activation_keys, queue, outbox } = this.tables;
    const { dialect } = this.database;
    return [
      ...deleteRows(dialect, instances, 'id', ids),
      ...deleteRows(dialect, bookmarks, 'workflow_instance_id', ids),
      ...deleteRows(dialect, journal, 'instance_id', ids),
      ...deleteRows(dialect, activation_keys, 'instance_id', ids),
      ...deleteRows(dialect, queue, 'workflow_instance_id', ids),
      ...deleteRows(dialect, outbox, 'instance_id', ids),
    ];
  }

  private select(columns: string, filter: InstanceFilter, ending = '', page?: Page): Promise<readonly Row[]> {
    const { where, params } = this.conditions(filter);
    const limit = page ? ' LIMIT ? OFFSET ?' : '';
    return this.database.read({
      sql: `SELECT ${columns} FROM ${this.tables.instances}${where}${ending}${limit}`,
      params: page ? [...params, page.take, page.skip] : params,
    });
  }

  private conditions(filter: InstanceFilter): Conditions {
    const conditions = new Conditions(this.database.dialect)
      .oneOf('id', filter.ids)
      .oneOf('definition_id', filter.definitionIds)
      .noneOf('definition_id', filter.exceptDefinitionIds)
      .oneOf('definition_version_id', filter.definitionVersionIds)
      .equals('version', filter.version)
      .oneOf('parent_instance_id', filter.parentWorkflowInstanceIds)
      .oneOf('correlation_id', filter.correlationIds)
      .oneOf('name', filter.names)
      .oneOf('status', filter.statuses)
      .oneOf('sub_status', filter.subStatuses)
      .flag('is_system', filter.isSystem)
      .flag('is_executing', filter.isExecuting)
      .contains(SEARCHED, filter.searchTerm);
    if (filter.hasIncidents !== undefined) conditions.add(`incident_count ${filter.hasIncidents ? '>' : '='} 0`);
    for (const timestamp of filter.timestamps ?? []) addTimestamp(conditions, timestamp);
    return conditions;
  }
}

function addTimestamp(conditions: Conditions, { column, operator, timestamp }: TimestampFilter): void {
  const name = TIMESTAMP_COLUMNS[column];
  const value = time(timestamp);
  // Not set is not that time either; SQL alone would say "unknown".
  if (operator === 'IsNot') conditions.add(`(${name} IS NULL OR ${name} <> ?)`, value);
  else conditions.add(`${name} ${OPERATORS[operator]} ?`, value);
}
