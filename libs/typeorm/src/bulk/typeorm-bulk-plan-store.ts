import type { PagedResult, BulkAction, BulkFailure, BulkPlan, BulkResult, DefinitionDeletion } from '@waymark/runtime';
import {
  type BatchClaim,
  type BulkBatch,
  type BulkCut,
  type BulkPlanStore,
  type Lease,
  MAX_FAILURES,
  type OpenSelection,
  type Page,
  type PlanPage,
  type PlanParts,
  type PlanStep,
} from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase, type Work } from '../database/sql-database.js';
import { RefusedStatement, type Result, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { insertRows } from '../dialect/insert-rows.js';
import { shifted, sqlTime } from '../dialect/store-time.js';
import type { Tables } from '../dialect/tables.js';
import { time, toText } from '../rows/column-values.js';
import { countRows, pageOf } from '../rows/paging.js';
import {
  BATCH,
  failuresText,
  PLAN,
  readUnlessDamaged,
  statusOf,
  toBatch,
  toDeletion,
  toFailures,
  toPlan,
} from './bulk-rows.js';
import { claiming } from './claim-batch.js';
import { NO_NODE, pageId, partStatements, toPage } from './plan-parts.js';
import { stepStatements } from './step-statements.js';

/** Transactions write the plan first and then its batches, so that none waits for another in a circle. */
export class TypeOrmBulkPlanStore implements BulkPlanStore {
  readonly plans: string;
  readonly batches: string;
  readonly outbox: string;
  /** By plan: what those were going to delete that `findDeletions` has found the last time. */
  private deletions: ReadonlyMap<string, DefinitionDeletion> = new Map();

  constructor(
    private readonly database: SqlDatabase,
    { bulk_plans, bulk_batches, outbox }: Tables,
  ) {
    this.plans = bulk_plans;
    this.batches = bulk_batches;
    this.outbox = outbox;
  }

  submit(plan: BulkPlan, parts: PlanParts = {}): Promise<boolean> {
    const { dialect } = this.database;
    const columns = [...PLAN.names, 'open_batches'];
    return this.unlessRefused([
      ...insertRows(dialect, this.plans, columns, [[...PLAN.values(plan), parts.batches?.length ?? 0]]),
      ...partStatements(dialect, this, plan, parts),
    ]);
  }

  async findPage(planId: string, from: number): Promise<PlanPage | undefined> {
    const sql = `SELECT id, data FROM ${this.batches} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [pageId(planId, from)] });
    return row && toPage(row);
  }

  async findPageIds(planId: string): Promise<string[]> {
    const sql = `SELECT id, data FROM ${this.batches} WHERE plan_id = ?`;
    const pages = (await this.database.read({ sql, params: [planId] })).map(toPage);
    return pages.sort((left, right) => left.from - right.from).flatMap(({ ids }) => ids);
  }

  async advance(step: PlanStep, now: Date): Promise<boolean> {
    try {
      await this.database.transact(() => this.advancing(step, now));
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }

  async find(id: string): Promise<BulkPlan | undefined> {
    const [row] = await this.database.read({
      sql: `SELECT ${PLAN.list} FROM ${this.plans} WHERE id = ?`,
      params: [id],
    });
    return row && toPlan(row);
  }

  async findStatus(id: string): Promise<BulkPlan['status'] | undefined> {
    const sql = `SELECT status, has_deleted FROM ${this.plans} WHERE id = ?`;
    const [row] = await this.database.read({ sql, params: [id] });
    return row && statusOf(row);
  }

  findMany(page?: Page): Promise<PagedResult<BulkPlan>> {
    return pageOf(page, {
      rows: async (window) => {
        const limit = window ? ' LIMIT ? OFFSET ?' : '';
        // By what MySQL guesses of a table that grows, it may read and sort all of it.
        const index = window ? this.database.dialect.byIndex(this.plans, 'created_at', 'id') : '';
        const sql = `SELECT ${PLAN.list} FROM ${this.plans}${index} ORDER BY created_at DESC, id DESC${limit}`;
        const rows = await this.database.read({ sql, params: window ? [window.take, window.skip] : [] });
        return rows.map(toPlan);
      },
      count: (atMost) => countRows(this.database, this.plans, [], atMost),
    });
  }

  async findOpen(exceptIds?: readonly string[]): Promise<OpenSelection | undefined> {
    const isOpen = new Conditions(this.database.dialect).add('completed_at IS NULL').add('is_selected = 0');
    const { where, params } = isOpen.noneOf('id', exceptIds);
    const [row] = await this.database.read({
      sql: `SELECT ${PLAN.list}, cut_after FROM ${this.plans}${where} ORDER BY selected, created_at, id LIMIT 1`,
      params,
    });
    return row && { plan: toPlan(row), cursor: row.cut_after === null ? undefined : toText(row.cut_after) };
  }

  async cut(
    { plan, cursor }: OpenSelection,
    { batchId, ids, next }: BulkCut,
    lease: Lease,
  ): Promise<BulkBatch | undefined | false> {
    const { dialect } = this.database;
    const now = sqlTime(dialect, lease);
    const ends = shifted(dialect, now, lease.leaseMs);
    const isLast = next === undefined && ids.length === 0;
    const done = isLast ? 'open_batches = 0' : '1 = 0';
    const statements: Statement[] = [
      {
        // In this order: MySQL computes each assignment from the values that those before it have left.
        sql:
          `UPDATE ${this.plans} SET status = CASE WHEN ${done} THEN 'Completed' ELSE 'Running' END, ` +
          `started_at = COALESCE(started_at, ${now.sql}), ` +
          `completed_at = CASE WHEN ${done} THEN ${now.sql} ELSE completed_at END, ` +
          `open_batches = open_batches + ?, selected = selected + ?, is_selected = ?, cut_after = ? ` +
          `WHERE id = ? AND completed_at IS NULL AND is_selected = 0 ` +
          `AND ${cursor === undefined ? 'cut_after IS NULL' : 'cut_after = ?'}`,
        params: [
          ...now.params,
          ...now.params,
          ids.length > 0 ? 1 : 0,
          ids.length,
          next === undefined ? 1 : 0,
          next ?? null,
          plan.id,
          ...(cursor === undefined ? [] : [cursor]),
        ],
        expect: { affected: 1 },
      },
    ];
    const action = plan.action as BulkAction;
    const batch: BulkBatch = { id: batchId, planId: plan.id, action, ids, attempts: 0 };
    if (ids.length > 0)
      statements.push({
        sql:
          `INSERT INTO ${this.batches} (${BATCH.list}, claimed_by, claimed_until) ` +
          `VALUES (${BATCH.names.map(() => '?').join(', ')}, ?, ${ends.sql})`,
        params: [...BATCH.values(batch), lease.owner, ...ends.params],
      });
    if (!(await this.unlessRefused(statements))) return false;
    return ids.length > 0 ? batch : undefined;
  }

  async claim(lease: Lease, which: BatchClaim = {}): Promise<BulkBatch | undefined> {
    const row = await this.database.transact(() => claiming(this.database.dialect, this.batches, lease, which));
    return row && toBatch(row);
  }

  async renew({ id }: BulkBatch, lease: Lease): Promise<boolean> {
    const { dialect } = this.database;
    const ends = shifted(dialect, sqlTime(dialect, lease), lease.leaseMs);
    const [result] = await this.run({
      sql: `UPDATE ${this.batches} SET claimed_until = ${ends.sql} WHERE id = ? AND claimed_by = ?`,
      params: [...ends.params, id, lease.owner],
    });
    return result?.affected === 1;
  }

  async giveUpClaim({ id }: BulkBatch, owner: string): Promise<void> {
    await this.run({
      sql: `UPDATE ${this.batches} SET attempts = attempts - 1, claimed_by = ? WHERE id = ? AND claimed_by = ?`,
      params: [NO_NODE, id, owner],
    });
  }

  async finish(batch: BulkBatch, owner: string, result: BulkResult, now: Date): Promise<boolean> {
    try {
      await this.database.transact(() => this.finishing(batch, owner, result, now));
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }

  async findDeletion(exceptIds?: readonly string[]): Promise<BulkPlan | undefined> {
    const isDeleting = new Conditions(this.database.dialect).add('has_deleted = 0').add("status = 'Completed'");
    const { where, params } = isDeleting.noneOf('id', exceptIds);
    const [row] = await this.database.read({
      sql: `SELECT ${PLAN.list} FROM ${this.plans}${where} ORDER BY completed_at, created_at, id LIMIT 1`,
      params,
    });
    return row && toPlan(row);
  }

  /** Each time a version is written: the lists of a plan, of 10,000 ids and more, are read once. They do not change. */
  async findDeletions(): Promise<DefinitionDeletion[]> {
    const sql = `SELECT id FROM ${this.plans} WHERE has_deleted = 0 AND status <> 'Cancelled'`;
    const ids = (await this.database.read({ sql, params: [] })).map(({ id }) => toText(id));
    const known = this.deletions;
    const unknown = ids.filter((id) => !known.has(id));
    const read = unknown.length > 0 ? await this.readDeletions(unknown) : [];
    const found = new Map(read);
    for (const id of ids) {
      const deletion = known.get(id);
      if (deletion) found.set(id, deletion);
    }
    this.deletions = found;
    return [...found.values()];
  }

  private async readDeletions(ids: readonly string[]): Promise<[id: string, deletion: DefinitionDeletion][]> {
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', ids);
    const rows = await this.database.read({ sql: `SELECT id, deletes FROM ${this.plans}${where}`, params });
    return rows.flatMap(({ id, deletes }) => {
      // Nothing keeps back what a damaged list names: all other definitions could not be published either.
      const deletion = readUnlessDamaged(() => toDeletion(deletes));
      return deletion ? [[toText(id), deletion] as [string, DefinitionDeletion]] : [];
    });
  }

  endDeletion(id: string, failures: readonly BulkFailure[]): Promise<boolean> {
    return this.database.transact(() => this.endingDeletion(id, failures));
  }

  cancel(id: string, now: Date): Promise<boolean> {
    return this.unlessRefused([
      {
        sql: `UPDATE ${this.plans} SET status = 'Cancelled', completed_at = ? WHERE id = ? AND completed_at IS NULL`,
        params: [time(now), id],
        expect: { affected: 1 },
      },
      { sql: `DELETE FROM ${this.batches} WHERE plan_id = ?`, params: [id] },
    ]);
  }

  async purge(before: Date, limit: number): Promise<number> {
    // Nodes of the version before, and those that were all down meanwhile, leave plans whose instances are gone and that have yet to delete.
    const hasEnded = "(has_deleted = 1 OR status = 'Cancelled')";
    const sql = `SELECT id FROM ${this.plans} WHERE completed_at < ? AND ${hasEnded} ORDER BY completed_at LIMIT ?`;
    const rows = await this.database.read({ sql, params: [time(before), limit] });
    if (rows.length === 0) return 0;
    const ids = rows.map((row) => toText(row.id)).sort();
    const [plans] = await this.run(...deleteRows(this.database.dialect, this.plans, 'id', ids));
    return plans?.affected ?? 0;
  }

  private *finishing({ id, planId, ids }: BulkBatch, owner: string, result: BulkResult, now: Date): Work<void> {
    const { changed, failures } = result;
    const isLast = 'is_selected = 1 AND open_batches = 1 AND completed_at IS NULL';
    yield [
      {
        // In this order: MySQL computes each assignment from the values that those before it have left.
        sql:
          `UPDATE ${this.plans} SET status = CASE WHEN ${isLast} THEN 'Completed' ELSE status END, ` +
          `completed_at = CASE WHEN ${isLast} THEN ${this.database.dialect.bigintParam} ELSE completed_at END, ` +
          'open_batches = open_batches - 1, visited = visited + ?, changed = changed + ?, failed = failed + ? ' +
          'WHERE id = ?',
        params: [time(now), ids.length, changed, failures.length, planId],
        expect: { affected: 1 },
      },
      {
        sql: `DELETE FROM ${this.batches} WHERE id = ? AND claimed_by = ?`,
        params: [id, owner],
        expect: { affected: 1 },
      },
    ];
    yield* this.noting(planId, failures);
  }

  private *advancing(step: PlanStep, now: Date): Work<void> {
    yield stepStatements(this.database.dialect, this, step, now);
    yield* this.noting(step.planId, step.failures);
  }

  private *endingDeletion(id: string, failures: readonly BulkFailure[]): Work<boolean> {
    const [ended] = yield [
      {
        sql:
          `UPDATE ${this.plans} SET has_deleted = 1, failed = failed + ? ` +
          "WHERE id = ? AND has_deleted = 0 AND status = 'Completed'",
        params: [failures.length, id],
      },
    ];
    if (ended?.affected !== 1) return false;
    yield* this.noting(id, failures);
    return true;
  }

  private *noting(planId: string, failures: readonly BulkFailure[]): Work<void> {
    if (failures.length === 0) return;
    const [found] = yield [{ sql: `SELECT failures FROM ${this.plans} WHERE id = ?`, params: [planId] }];
    // Their number is noted in any case.
    const known = readUnlessDamaged(() => toFailures(found!.rows[0]!));
    if (!known || known.length >= MAX_FAILURES) return;
    const text = failuresText([...known, ...failures].slice(0, MAX_FAILURES));
    yield [{ sql: `UPDATE ${this.plans} SET failures = ? WHERE id = ?`, params: [text, planId] }];
  }

  private async unlessRefused(statements: readonly Statement[]): Promise<boolean> {
    try {
      await this.run(...statements);
      return true;
    } catch (error) {
      if (error instanceof RefusedStatement) return false;
      throw error;
    }
  }

  private run(...statements: Statement[]): Promise<readonly Result[]> {
    return this.database.transact(() => inOneGo(statements));
  }
}
