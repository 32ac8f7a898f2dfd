import {
  type AlterationJob,
  type AlterationJobResult,
  type AlterationPlan,
  type AlterationStore,
  MessageConsumedError,
  type OutboxMessage,
  type SubmittedPlan,
} from '@waymark/runtime';
import { inOneGo, type SqlDatabase, type Work } from '../database/sql-database.js';
import { RefusedStatement, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { insertRows } from '../dialect/insert-rows.js';
import { CANDIDATES_PER_ROW, lockFreeRows } from '../dialect/lock-free-rows.js';
import type { Tables } from '../dialect/tables.js';
import { insertMessages } from '../outbox/outbox-rows.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { JOB_COLUMNS, jobValues, logText, PLAN_COLUMNS, planValues, toJob, toPlan } from './alteration-rows.js';

const OPEN = "status IN ('Pending', 'Running')";

export class TypeOrmAlterationStore implements AlterationStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async submit(plan: AlterationPlan, message: OutboxMessage): Promise<boolean> {
    const { dialect } = this.database;
    const { alteration_plans, outbox } = this.tables;
    const columns = [...PLAN_COLUMNS, 'open_jobs'];
    const statements = [
      ...insertRows(dialect, alteration_plans, columns, [[...planValues(plan), 0]]),
      ...insertMessages(dialect, outbox, [message]),
    ];
    return this.unlessRefused(statements);
  }

  async start(
    planId: string,
    jobs: readonly AlterationJob[],
    messages: readonly OutboxMessage[],
    consumedMessageId: string,
    now: Date,
  ): Promise<void> {
    const { dialect } = this.database;
    const { alteration_plans, alteration_jobs, outbox } = this.tables;
    const hasNone = jobs.length === 0;
    const isStored = await this.unlessRefused([
      { sql: `DELETE FROM ${outbox} WHERE id = ?`, params: [consumedMessageId], expect: { affected: 1 } },
      {
        sql: `UPDATE ${alteration_plans} SET status = ?, started_at = ?, completed_at = ?, open_jobs = ? WHERE id = ?`,
        params: [hasNone ? 'Completed' : 'Running', time(now), hasNone ? time(now) : null, jobs.length, planId],
      },
      ...insertRows(dialect, alteration_jobs, JOB_COLUMNS, jobs.map(jobValues)),
      ...insertMessages(dialect, outbox, messages),
    ]);
    if (!isStored) throw new MessageConsumedError(consumedMessageId);
  }

  async fail(planId: string, now: Date): Promise<void> {
    const sql = `UPDATE ${this.tables.alteration_plans} SET status = 'Failed', completed_at = ? WHERE id = ? AND status = 'Pending'`;
    await this.database.transact(() => inOneGo([{ sql, params: [time(now), planId] }]));
  }

  async find(planId: string): Promise<SubmittedPlan | undefined> {
    const plan = await this.findPlan(planId);
    if (!plan) return undefined;
    const sql = `SELECT ${JOB_COLUMNS.join(', ')} FROM ${this.tables.alteration_jobs} WHERE plan_id = ? ORDER BY seq`;
    const rows = await this.database.read({ sql, params: [planId] });
    return { plan, jobs: rows.map(toJob) };
  }

  async findPlan(planId: string): Promise<AlterationPlan | undefined> {
    const sql = `SELECT ${PLAN_COLUMNS.join(', ')} FROM ${this.tables.alteration_plans} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [planId] });
    return row && toPlan(row);
  }

  async findJob(jobId: string): Promise<AlterationJob | undefined> {
    const sql = `SELECT ${JOB_COLUMNS.join(', ')} FROM ${this.tables.alteration_jobs} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [jobId] });
    return row && toJob(row);
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

  /** Whoever has the row of a plan that has ended is alone with its jobs. */
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
