import type { AlterationJob, AlterationJobResult, AlterationPlan, SubmittedPlan } from '@waymark/runtime';
import {
  type AlterationCut,
  type AlterationJobPage,
  type AlterationStore,
  MessageConsumedError,
  type OpenAlterationPlan,
} from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase, type Work } from '../database/sql-database.js';
import { RefusedStatement, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { insertRows } from '../dialect/insert-rows.js';
import { CANDIDATES_PER_ROW, lockFreeRows } from '../dialect/lock-free-rows.js';
import type { Tables } from '../dialect/tables.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { time, toNumber, toOptionalText, toText } from '../rows/column-values.js';
import { JOB, logText, PLAN, PLAN_COLUMNS, toPlan } from './alteration-rows.js';

const OPEN = "status IN ('Pending', 'Running')";

export class TypeOrmAlterationStore implements AlterationStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  submit(plan: AlterationPlan): Promise<boolean> {
    const columns = [...PLAN.names, 'open_jobs', 'is_selected'];
    // Looking for its instances counts as a job that has not ended: the plan cannot be completed before.
    const rows = [[...PLAN.values(plan), 1, 0]];
    return this.unlessRefused(insertRows(this.database.dialect, this.tables.alteration_plans, columns, rows));
  }

  async adopt(planId: string, consumedMessageId: string): Promise<void> {
    const { alteration_plans, outbox } = this.tables;
    const isAdopted = await this.unlessRefused([
      { sql: `DELETE FROM ${outbox} WHERE id = ?`, params: [consumedMessageId], expect: { affected: 1 } },
      {
        sql: `UPDATE ${alteration_plans} SET open_jobs = 1, is_selected = 0 WHERE id = ? AND status = 'Pending'`,
        params: [planId],
      },
    ]);
    if (!isAdopted) throw new MessageConsumedError(consumedMessageId);
  }

  async findOpen(limit: number, exceptIds?: readonly string[]): Promise<OpenAlterationPlan[]> {
    const isOpen = new Conditions(this.database.dialect).add('completed_at IS NULL').add('is_selected = 0');
    const { where, params } = isOpen.noneOf('id', exceptIds);
    const rows = await this.database.read({
      sql: `SELECT ${PLAN_COLUMNS}, cut_after FROM ${this.tables.alteration_plans}${where} ORDER BY created_at, id LIMIT ?`,
      params: [...params, limit],
    });
    return rows.map((row) => ({ plan: toPlan(row), cursor: toOptionalText(row.cut_after) }));
  }

  cut(
    { plan: { id }, cursor }: OpenAlterationPlan,
    { jobs, messages, next }: AlterationCut,
    now: Date,
  ): Promise<boolean> {
    const { dialect } = this.database;
    const { alteration_plans, alteration_jobs, outbox } = this.tables;
    const isLast = next === undefined;
    const isDone = isLast ? 'open_jobs + ? = 1' : '1 = 0';
    const done = isLast ? [jobs.length] : [];
    return this.unlessRefused([
      {
        // In this order: MySQL computes each assignment from the values that those before it have left.
        sql:
          `UPDATE ${alteration_plans} SET status = CASE WHEN ${isDone} THEN 'Completed' ELSE 'Running' END, ` +
          `started_at = COALESCE(started_at, ${dialect.bigintParam}), ` +
          `completed_at = CASE WHEN ${isDone} THEN ${dialect.bigintParam} ELSE completed_at END, ` +
          'open_jobs = open_jobs + ?, is_selected = ?, cut_after = ? ' +
          'WHERE id = ? AND completed_at IS NULL AND is_selected = 0 ' +
          `AND ${cursor === undefined ? 'cut_after IS NULL' : 'cut_after = ?'}`,
        params: [
          ...done,
          time(now),
          ...done,
          time(now),
          jobs.length - (isLast ? 1 : 0),
          isLast ? 1 : 0,
          next ?? null,
          id,
          ...(cursor === undefined ? [] : [cursor]),
        ],
        expect: { affected: 1 },
      },
      ...insertRows(dialect, alteration_jobs, JOB.names, jobs.map(JOB.values)),
      ...insertMessages(dialect, outbox, messages),
    ]);
  }

  async fail(planId: string, now: Date): Promise<void> {
    const open = "completed_at IS NULL AND (status = 'Pending' OR is_selected = 0)";
    const sql = `UPDATE ${this.tables.alteration_plans} SET status = 'Failed', completed_at = ? WHERE id = ? AND ${open}`;
    await this.database.transact(() => inOneGo([{ sql, params: [time(now), planId] }]));
  }

  cancel(planId: string, now: Date): Promise<boolean> {
    const { dialect } = this.database;
    return this.unlessRefused([
      {
        // In this order: MySQL computes each assignment from the values that those before it have left. As while its instances are
        // looked for, one more job is open than there are: the last one must not complete the plan.
        sql:
          `UPDATE ${this.tables.alteration_plans} SET status = 'Failed', completed_at = ${dialect.bigintParam}, ` +
          'open_jobs = open_jobs + is_selected, is_selected = 1 WHERE id = ? AND completed_at IS NULL',
        params: [time(now), planId],
        expect: { affected: 1 },
      },
    ]);
  }

  async findJobs(planId: string, limit: number, after = '0'): Promise<AlterationJobPage> {
    const rows = await this.database.read({
      sql:
        `SELECT seq, ${JOB.list} FROM ${this.tables.alteration_jobs} ` +
        'WHERE plan_id = ? AND seq > ? ORDER BY seq LIMIT ?',
      params: [planId, Number(after), limit],
    });
    const next = rows.length === limit ? String(toNumber(rows.at(-1)?.seq)) : undefined;
    return { jobs: rows.map(JOB.listed), next };
  }

  async find(planId: string): Promise<SubmittedPlan | undefined> {
    const plan = await this.findPlan(planId);
    if (!plan) return undefined;
    const sql = `SELECT ${JOB.list} FROM ${this.tables.alteration_jobs} WHERE plan_id = ? ORDER BY seq`;
    const rows = await this.database.read({ sql, params: [planId] });
    return { plan, jobs: rows.map(JOB.listed) };
  }

  async findPlan(planId: string): Promise<AlterationPlan | undefined> {
    const sql = `SELECT ${PLAN_COLUMNS} FROM ${this.tables.alteration_plans} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [planId] });
    return row && toPlan(row);
  }

  async findJob(jobId: string): Promise<AlterationJob | undefined> {
    const sql = `SELECT ${JOB.list} FROM ${this.tables.alteration_jobs} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [jobId] });
    return row && JOB.listed(row);
  }

  async startJob(jobId: string, now: Date): Promise<void> {
    const sql = `UPDATE ${this.tables.alteration_jobs} SET status = 'Running', started_at = ? WHERE id = ? AND ${OPEN}`;
    await this.database.transact(() => inOneGo([{ sql, params: [time(now), jobId] }]));
  }

  finishJob(jobId: string, result: AlterationJobResult, now: Date): Promise<boolean> {
    return this.database.transact(() => this.finishing(jobId, result, now));
  }

  async purge(before: Date, limit: number): Promise<number> {
    const { alteration_plans } = this.tables;
    const sql = `SELECT id FROM ${alteration_plans} WHERE completed_at < ? ORDER BY completed_at LIMIT ?`;
    const rows = await this.database.read({ sql, params: [time(before), limit * CANDIDATES_PER_ROW] });
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => toText(row.id));
    return this.database.transact(() => this.purging(ids, limit));
  }

  /** The holder of the row of a plan that has ended is alone with its jobs. */
  private *purging(candidates: readonly string[], limit: number): Work<number> {
    const { dialect } = this.database;
    const { alteration_plans, alteration_jobs } = this.tables;
    const planIds = yield* lockFreeRows(dialect, { table: alteration_plans, key: 'id', candidates }, limit);
    if (planIds.length === 0) return 0;
    const ofPlans = new Conditions(dialect).oneOf('plan_id', planIds);
    const jobs = `SELECT seq FROM ${alteration_jobs}${ofPlans.where} LIMIT ?`;
    const [found] = yield [{ sql: jobs, params: [...ofPlans.params, limit] }];
    const numbers = (found?.rows ?? []).map((row) => toNumber(row.seq));
    const left = limit - numbers.length;
    // With a full batch of jobs, their plans may have more of them.
    const ended = planIds.slice(0, left);
    const chosen = new Conditions(dialect).oneOf('seq', numbers);
    yield [
      ...(numbers.length > 0 ? [{ sql: `DELETE FROM ${alteration_jobs}${chosen.where}`, params: chosen.params }] : []),
      ...deleteRows(dialect, alteration_plans, 'id', ended),
    ];
    return numbers.length + ended.length;
  }

  /** The plan counts its open jobs: of two that end at once, neither would see the other's end. */
  private *finishing(jobId: string, { status, log }: AlterationJobResult, now: Date): Work<boolean> {
    const { alteration_plans, alteration_jobs } = this.tables;
    const [ended] = yield [
      {
        sql: `UPDATE ${alteration_jobs} SET status = ?, log = ?, completed_at = ? WHERE id = ? AND ${OPEN}`,
        params: [status, logText(log), time(now), jobId],
      },
    ];
    if (ended?.affected !== 1) return false;
    yield [
      {
        // In this order: MySQL computes each assignment from the values that those before it have left.
        sql:
          `UPDATE ${alteration_plans} SET status = CASE WHEN open_jobs = 1 THEN 'Completed' ELSE status END, ` +
          `completed_at = CASE WHEN open_jobs = 1 THEN ${this.database.dialect.bigintParam} ELSE completed_at END, ` +
          `open_jobs = open_jobs - 1 WHERE id = (SELECT plan_id FROM ${alteration_jobs} WHERE id = ?)`,
        params: [time(now), jobId],
      },
    ];
    return true;
  }

  /** False when a row that must be there is gone, or one that must not is there. */
  private async unlessRefused(statements: readonly Statement[]): Promise<boolean> {
    try {
      await this.database.transact(() => inOneGo(statements));
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }
}
