import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { RefusedStatement, type Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import type { PagedResult, StoredTrigger } from '@waymark/runtime';
import {
  type OccurrenceClaim,
  type Page,
  type PausedTrigger,
  requireStorableMessages,
  type ScheduledTriggerFilter,
  type TriggerFilter,
  type TriggerFiring,
  type TriggerStore,
  type UpcomingOptions,
  type UpcomingTriggers,
} from '@waymark/runtime/adapter';
import { time, toNumber } from '../rows/column-values.js';
import { claimingOccurrences } from './claiming-occurrences.js';
import { claimOccurrence, pauseStatement, TRIGGER, unpauseStatement } from './trigger-rows.js';

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
    return (await this.database.read({ sql, params })).map(TRIGGER.listed);
  }

  async findDue(before: Date, limit: number): Promise<StoredTrigger[]> {
    const sql = `SELECT ${TRIGGER.list} FROM ${this.tables.triggers} WHERE due_at <= ? ORDER BY due_at, id LIMIT ?`;
    return (await this.database.read({ sql, params: [time(before), limit] })).map(TRIGGER.listed);
  }

  async findUpcoming({ limit, lookAheadMs, ...given }: UpcomingOptions): Promise<UpcomingTriggers> {
    const { dialect } = this.database;
    const now = sqlTime(dialect, given);
    const end = shifted(dialect, now, lookAheadMs);
    // In the order of the index: to sort those of the same time, the server would read all crons of a second with each look.
    const rows = await this.database.read({
      sql:
        `SELECT ${TRIGGER.list}, ${now.sql} AS now_ms FROM ${this.tables.triggers} ` +
        `WHERE due_at <= ${end.sql} ORDER BY due_at LIMIT ?`,
      params: [...now.params, ...end.params, limit],
    });
    return { triggers: rows.map(TRIGGER.listed), now: rows[0] && new Date(toNumber(rows[0].now_ms)) };
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

  async claim(claims: readonly OccurrenceClaim[]): Promise<ReadonlySet<string>> {
    if (claims.length === 0) return new Set();
    requireStorableMessages(claims.flatMap(({ message }) => message ?? []));
    return this.database.transact(() => claimingOccurrences(this.database.dialect, this.tables, claims));
  }

  async findScheduled(filter: ScheduledTriggerFilter, page: Page): Promise<PagedResult<StoredTrigger>> {
    const conditions = new Conditions(this.database.dialect)
      .oneOf('id', filter.ids)
      .oneOf('name', filter.names)
      .oneOf('workflow_definition_id', filter.workflowDefinitionIds)
      .add('(due_at IS NOT NULL OR ended = 1)');
    if (filter.paused !== undefined) conditions.add(`paused_at IS ${filter.paused ? 'NOT ' : ''}NULL`);
    const { where, params } = conditions;
    const from = `FROM ${this.tables.triggers}${where}`;
    const byTime = 'ORDER BY CASE WHEN due_at IS NULL THEN 1 ELSE 0 END, due_at, id';
    const [rows, counts] = await Promise.all([
      this.database.read({
        sql: `SELECT ${TRIGGER.list} ${from} ${byTime} LIMIT ? OFFSET ?`,
        params: [...params, page.take, page.skip],
      }),
      this.database.read({ sql: `SELECT COUNT(*) AS total ${from}`, params }),
    ]);
    return { items: rows.map(TRIGGER.listed), totalCount: toNumber(counts[0]?.total) };
  }

  async pause(id: string, paused: PausedTrigger): Promise<boolean> {
    return (await this.update(pauseStatement(this.tables.triggers, id, paused))) > 0;
  }

  async unpause(id: string, pausedAt: Date, dueAt: Date | null): Promise<boolean> {
    return (await this.update(unpauseStatement(this.tables.triggers, id, pausedAt, dueAt))) > 0;
  }

  async clearDueTimes(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const { where, params } = new Conditions(this.database.dialect)
      .oneOf('id', ids)
      .add('(due_at IS NOT NULL OR paused_at IS NOT NULL)');
    const set = 'due_at = NULL, ended = 1, paused_at = NULL, paused_due_at = NULL';
    return this.update({ sql: `UPDATE ${this.tables.triggers} SET ${set}${where}`, params });
  }

  private async update(statement: Statement): Promise<number> {
    const [result] = await this.database.transact(() => inOneGo([statement]));
    return result?.affected ?? 0;
  }
}
