import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { RefusedStatement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import type {
  StoredTrigger,
  TriggerFilter,
  TriggerFiring,
  TriggerStore,
  UpcomingOptions,
  UpcomingTriggers,
} from '@waymark/runtime';
import { time, toNumber } from '../rows/column-values.js';
import { claimOccurrence, TRIGGER } from './trigger-rows.js';

export class TypeOrmTriggerStore implements TriggerStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async findMany(filter: TriggerFilter): Promise<StoredTrigger[]> {
    const { where, params } = new Conditions(this.database.dialect)
      .oneOf('id', filter.ids)
      .equals('hash', filter.hash)
      .oneOf('name', filter.names)
      .oneOf('workflow_definition_id', filter.workflowDefinitionIds)
      .oneOf('workflow_definition_version_id', filter.workflowDefinitionVersionIds)
      .oneOf('exclusive_key', filter.exclusiveKeys);
    const sql = `SELECT ${TRIGGER.list} FROM ${this.tables.triggers}${where} ORDER BY id`;
    return (await this.database.read({ sql, params })).map(TRIGGER.record);
  }

  async findDue(before: Date, limit: number): Promise<StoredTrigger[]> {
    const sql = `SELECT ${TRIGGER.list} FROM ${this.tables.triggers} WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`;
    return (await this.database.read({ sql, params: [time(before), limit] })).map(TRIGGER.record);
  }

  async findUpcoming({ limit, lookAheadMs, ...given }: UpcomingOptions): Promise<UpcomingTriggers> {
    const { dialect } = this.database;
    const now = sqlTime(dialect, given);
    const end = shifted(dialect, now, lookAheadMs);
    const rows = await this.database.read({
      sql:
        `SELECT ${TRIGGER.list}, ${now.sql} AS now_ms FROM ${this.tables.triggers} ` +
        `WHERE due_at <= ${end.sql} ORDER BY due_at, id LIMIT ?`,
      params: [...now.params, ...end.params, limit],
    });
    return { triggers: rows.map(TRIGGER.record), now: rows[0] && new Date(toNumber(rows[0].now_ms)) };
  }

  async advance(firing: TriggerFiring): Promise<boolean> {
    try {
      await this.database.transact(() => inOneGo([claimOccurrence(this.tables.triggers, firing)]));
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }
}
