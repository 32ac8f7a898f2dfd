import { type PagedResult, ScheduleOrigin, type StoredTrigger } from '@waymark/runtime';
import {
  countedTotal,
  countLimit,
  type ListedSchedule,
  type ListedScheduleFilter,
  type OutboxMessage,
  type Page,
  type PausedTrigger,
  requireStorableMessages,
  requireStorableSchedule,
  type ScheduleClaim,
  type ScheduleOccurrenceClaim,
  type ScheduleStore,
  type StoredSchedule,
  type UpcomingOptions,
  type UpcomingSchedules,
} from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { RefusedStatement, type Row, type Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { toNumber, toText } from '../rows/column-values.js';
import { TRIGGER } from '../triggers/trigger-rows.js';
import { claimingSchedules } from './claiming-schedules.js';
import { listedSchedules } from './listed-schedules.js';
import { claimStatement, pauseStatement, putStatements, SCHEDULE, unpauseStatement } from './schedule-rows.js';

export class TypeOrmScheduleStore implements ScheduleStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async put(schedule: StoredSchedule): Promise<void> {
    requireStorableSchedule(schedule);
    const statements = putStatements(this.database.dialect, this.tables.schedules, schedule);
    await this.database.transact(() => inOneGo(statements));
  }

  async delete(id: string, token?: string): Promise<boolean> {
    const { where, params } = new Conditions(this.database.dialect).equals('id', id).equals('token', token);
    return (await this.change({ sql: `DELETE FROM ${this.tables.schedules}${where}`, params })) > 0;
  }

  async findMany(ids: readonly string[]): Promise<StoredSchedule[]> {
    return (await this.byIds(this.tables.schedules, SCHEDULE.list, ids)).map(SCHEDULE.listed);
  }

  async findUpcoming({ limit, lookAheadMs, ...given }: UpcomingOptions): Promise<UpcomingSchedules> {
    const { dialect } = this.database;
    const now = sqlTime(dialect, given);
    const end = shifted(dialect, now, lookAheadMs);
    const rows = await this.database.read({
      sql:
        `SELECT ${SCHEDULE.list}, ${now.sql} AS now_ms FROM ${this.tables.schedules} ` +
        `WHERE due_at <= ${end.sql} ORDER BY due_at, id LIMIT ?`,
      params: [...now.params, ...end.params, limit],
    });
    return { schedules: rows.map(SCHEDULE.listed), now: rows[0] && new Date(toNumber(rows[0].now_ms)) };
  }

  async fire(claim: ScheduleClaim, messages: readonly OutboxMessage[]): Promise<boolean> {
    requireStorableMessages(messages);
    const { schedules, outbox } = this.tables;
    const statements = [claimStatement(schedules, claim), ...insertMessages(this.database.dialect, outbox, messages)];
    try {
      await this.database.transact(() => inOneGo(statements));
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }

  async claim(claims: readonly ScheduleOccurrenceClaim[]): Promise<ReadonlySet<string>> {
    if (claims.length === 0) return new Set();
    requireStorableMessages(claims.flatMap(({ message }) => message ?? []));
    return this.database.transact(() => claimingSchedules(this.database.dialect, this.tables, claims));
  }

  async pause(id: string, paused: PausedTrigger): Promise<boolean> {
    return (await this.change(pauseStatement(this.tables.schedules, id, paused))) > 0;
  }

  async unpause(id: string, pausedAt: Date, dueAt: Date): Promise<boolean> {
    return (await this.change(unpauseStatement(this.tables.schedules, id, pausedAt, dueAt))) > 0;
  }

  async findListed(filter: ListedScheduleFilter, window: Page): Promise<PagedResult<ListedSchedule>> {
    const { page, count } = listedSchedules(this.database.dialect, this.tables, filter, window);
    const [rows, counts] = await Promise.all([this.database.read(page), this.database.read(count)]);
    const [triggers, schedules] = await Promise.all([this.triggersOf(rows), this.schedulesOf(rows)]);
    const items = rows.flatMap(({ source, id }): ListedSchedule[] => {
      const found =
        source === ScheduleOrigin.Trigger
          ? { trigger: triggers.get(toText(id)) }
          : { schedule: schedules.get(toText(id)) };
      // It may have gone between the two reads.
      return Object.values(found)[0] ? [found as ListedSchedule] : [];
    });
    return { items, ...countedTotal(toNumber(counts[0]?.total), countLimit(window)) };
  }

  private async triggersOf(rows: readonly Row[]): Promise<ReadonlyMap<string, StoredTrigger>> {
    const found = await this.byIds(this.tables.triggers, TRIGGER.list, idsFrom(rows, ScheduleOrigin.Trigger));
    return byId(found.map(TRIGGER.listed));
  }

  private async schedulesOf(rows: readonly Row[]): Promise<ReadonlyMap<string, StoredSchedule>> {
    return byId(await this.findMany(idsFrom(rows, ScheduleOrigin.Application)));
  }

  private async byIds(table: string, columns: string, ids: readonly string[]): Promise<readonly Row[]> {
    if (ids.length === 0) return [];
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', ids);
    return this.database.read({ sql: `SELECT ${columns} FROM ${table}${where} ORDER BY id`, params });
  }

  private async change(statement: Statement): Promise<number> {
    const [result] = await this.database.transact(() => inOneGo([statement]));
    return result?.affected ?? 0;
  }
}

const idsFrom = (rows: readonly Row[], origin: ScheduleOrigin): string[] =>
  rows.filter(({ source }) => source === origin).map(({ id }) => toText(id));

const byId = <T extends { readonly id: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.id, record]));
