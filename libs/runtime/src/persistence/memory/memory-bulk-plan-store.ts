import {
  type BatchClaim,
  type BulkBatch,
  type BulkCut,
  type BulkFailure,
  type BulkPlan,
  type BulkPlanStore,
  type BulkResult,
  type DefinitionDeletion,
  MAX_FAILURES,
  type OpenSelection,
  type PlanPage,
  type PlanParts,
  type PlanStep,
} from '../bulk-plan-store.js';
import type { BulkAction } from '../bulk-action.js';
import type { Lease } from '../message-stores.js';
import type { Page, PagedResult } from '../paging.js';
import { requireStorableMessages } from '../storable-rows.js';
import { isolate } from './isolate.js';
import type { BulkBatchRow, BulkPlanRow, MemoryData } from './memory-data.js';
import { addMessages } from './memory-outbox-store.js';
import { compareText, compareTime, window } from './ordering.js';
import { timeOf } from './store-time.js';

export class MemoryBulkPlanStore implements BulkPlanStore {
  constructor(private readonly data: MemoryData) {}

  async submit(plan: BulkPlan, { messages = [], pages = [], batches = [] }: PlanParts = {}): Promise<boolean> {
    requireStorableMessages(messages);
    if (this.data.bulkPlans.has(plan.id)) return false;
    this.data.bulkPlans.set(plan.id, { plan: isolate(plan), cursor: undefined, pages: isolate(pages) });
    addMessages(this.data, isolate(messages));
    for (const [index, { id, ids }] of batches.entries()) {
      // The first claim counts up, as it does after a dead node.
      const batch = { id, planId: plan.id, action: plan.action as BulkAction, ids: [...ids], attempts: -1 };
      this.data.bulkBatches.set(id, { batch, owner: '', until: index });
    }
    return true;
  }

  async findPage(planId: string, from: number): Promise<PlanPage | undefined> {
    return isolate(this.pagesOf(planId).find((page) => page.from === from));
  }

  async findPageIds(planId: string): Promise<string[]> {
    return this.pagesOf(planId).flatMap(({ ids }) => ids);
  }

  async advance(
    { planId, from, to, visited, changed, failures, consumedMessageId, messages }: PlanStep,
    now: Date,
  ): Promise<boolean> {
    requireStorableMessages(messages);
    const { bulkPlans, outbox } = this.data;
    const row = bulkPlans.get(planId);
    if (!row || row.plan.completedAt || row.cursor !== from || !outbox.has(consumedMessageId)) return false;
    outbox.delete(consumedMessageId);
    addMessages(this.data, isolate(messages));
    const { plan } = row;
    const at = new Date(now);
    const noted: BulkPlan = {
      ...counted(plan, visited, { changed, failures }),
      status: to === undefined ? 'Completed' : 'Running',
      startedAt: plan.startedAt ?? at,
      ...(to === undefined && { completedAt: at }),
    };
    bulkPlans.set(planId, { ...row, plan: noted, cursor: to });
    return true;
  }

  async find(id: string): Promise<BulkPlan | undefined> {
    return isolate(this.data.bulkPlans.get(id)?.plan);
  }

  async findStatus(id: string): Promise<BulkPlan['status'] | undefined> {
    return this.data.bulkPlans.get(id)?.plan.status;
  }

  async findMany(page?: Page): Promise<PagedResult<BulkPlan>> {
    const plans = [...this.data.bulkPlans.values()].map(({ plan }) => plan);
    plans.sort((left, right) => compareTime(right.createdAt, left.createdAt) || compareText(right.id, left.id));
    const { items, ...total } = window(plans, page);
    return { items: isolate(items), ...total };
  }

  async findOpen(exceptIds: readonly string[] = []): Promise<OpenSelection | undefined> {
    const open = [...this.data.bulkPlans.values()].filter(
      ({ plan }) => !plan.isSelected && !plan.completedAt && !exceptIds.includes(plan.id),
    );
    open.sort((left, right) => left.plan.selected - right.plan.selected || byAge(left, right));
    return open[0] && isolate({ plan: open[0].plan, cursor: open[0].cursor });
  }

  async cut(
    { plan: { id: planId }, cursor }: OpenSelection,
    { batchId, ids, next }: BulkCut,
    lease: Lease,
  ): Promise<BulkBatch | undefined | false> {
    const row = this.data.bulkPlans.get(planId);
    if (!row || row.plan.completedAt || row.plan.isSelected || row.cursor !== cursor) return false;
    const now = new Date(timeOf(lease));
    const { plan } = row;
    const selected = plan.selected + ids.length;
    const isSelected = next === undefined;
    const started = { ...plan, status: 'Running' as const, startedAt: plan.startedAt ?? now, selected, isSelected };
    this.data.bulkPlans.set(planId, { ...row, plan: started, cursor: next });
    if (ids.length > 0) {
      const action = plan.action as BulkAction;
      const batch: BulkBatch = { id: batchId, planId, action, ids: [...ids], attempts: 0 };
      this.data.bulkBatches.set(batchId, { batch, owner: lease.owner, until: now.getTime() + lease.leaseMs });
      return isolate(batch);
    }
    this.endIfDone(planId, now);
    return undefined;
  }

  async claim(lease: Lease, { actions, isLost = false }: BatchClaim = {}): Promise<BulkBatch | undefined> {
    const now = timeOf(lease);
    const known = [...this.data.bulkBatches.values()].filter(({ batch }) => !actions || actions.includes(batch.action));
    const own = isLost ? known.filter(({ owner }) => owner === lease.owner) : [];
    const free = own.length > 0 ? own : known.filter(({ until }) => until <= now);
    const [row] = free.sort((left, right) => left.until - right.until || compareText(left.batch.id, right.batch.id));
    if (!row) return undefined;
    const batch = { ...row.batch, attempts: row.batch.attempts + (own.length > 0 ? 0 : 1) };
    this.data.bulkBatches.set(batch.id, { batch, owner: lease.owner, until: now + lease.leaseMs });
    return isolate(batch);
  }

  async renew({ id }: BulkBatch, lease: Lease): Promise<boolean> {
    const row = this.heldBy(id, lease.owner);
    if (row) this.data.bulkBatches.set(id, { ...row, until: timeOf(lease) + lease.leaseMs });
    return row !== undefined;
  }

  async giveUpClaim({ id }: BulkBatch, owner: string): Promise<void> {
    const row = this.heldBy(id, owner);
    if (!row) return;
    const batch = { ...row.batch, attempts: row.batch.attempts - 1 };
    this.data.bulkBatches.set(id, { ...row, batch, owner: '' });
  }

  async finish({ id }: BulkBatch, owner: string, { changed, failures }: BulkResult, now: Date): Promise<boolean> {
    const row = this.heldBy(id, owner);
    const found = row && this.data.bulkPlans.get(row.batch.planId);
    if (!row || !found) return false;
    this.data.bulkBatches.delete(id);
    const plan = counted(found.plan, row.batch.ids.length, { changed, failures });
    this.data.bulkPlans.set(plan.id, { ...found, plan });
    this.endIfDone(plan.id, now);
    return true;
  }

  async findDeletion(exceptIds: readonly string[] = []): Promise<BulkPlan | undefined> {
    const rows = [...this.data.bulkPlans.values()].filter(
      ({ plan, deletesFrom }) => deletesFrom && !plan.completedAt && !exceptIds.includes(plan.id),
    );
    rows.sort((left, right) => compareTime(left.deletesFrom, right.deletesFrom) || byAge(left, right));
    return isolate(rows[0]?.plan);
  }

  async findDeletions(): Promise<DefinitionDeletion[]> {
    const open = [...this.data.bulkPlans.values()].filter(({ plan }) => plan.deletes && !plan.completedAt);
    return isolate(open.map(({ plan }) => plan.deletes!));
  }

  async endDeletion(id: string, failures: readonly BulkFailure[]): Promise<boolean> {
    const row = this.data.bulkPlans.get(id);
    if (!row?.deletesFrom || row.plan.completedAt) return false;
    const { plan, deletesFrom: completedAt } = row;
    const failed = plan.failed + failures.length;
    const all = [...plan.failures, ...isolate(failures)].slice(0, MAX_FAILURES);
    this.data.bulkPlans.set(id, { ...row, plan: { ...plan, status: 'Completed', completedAt, failed, failures: all } });
    return true;
  }

  async cancel(id: string, now: Date): Promise<boolean> {
    const row = this.data.bulkPlans.get(id);
    if (!row || row.plan.completedAt || row.deletesFrom) return false;
    this.data.bulkPlans.set(id, { ...row, plan: { ...row.plan, status: 'Cancelled', completedAt: new Date(now) } });
    for (const { batch } of this.batchesOf(id)) this.data.bulkBatches.delete(batch.id);
    return true;
  }

  async purge(before: Date, limit: number): Promise<number> {
    const old = [...this.data.bulkPlans.values()].filter(({ plan }) => plan.completedAt && plan.completedAt < before);
    old.sort((left, right) => compareTime(left.plan.completedAt, right.plan.completedAt));
    const purged = old.slice(0, limit);
    for (const { plan } of purged) this.data.bulkPlans.delete(plan.id);
    return purged.length;
  }

  private endIfDone(planId: string, now: Date): void {
    const row = this.data.bulkPlans.get(planId);
    if (!row?.plan.isSelected || row.plan.completedAt || this.batchesOf(planId).length > 0) return;
    if (row.plan.deletes) {
      this.data.bulkPlans.set(planId, { ...row, deletesFrom: new Date(now) });
      return;
    }
    const plan = { ...row.plan, status: 'Completed' as const, completedAt: new Date(now) };
    this.data.bulkPlans.set(planId, { ...row, plan });
  }

  private pagesOf(planId: string): readonly PlanPage[] {
    const row = this.data.bulkPlans.get(planId);
    return row && !row.plan.completedAt ? (row.pages ?? []) : [];
  }

  private heldBy(batchId: string, owner: string): BulkBatchRow | undefined {
    const row = this.data.bulkBatches.get(batchId);
    return row?.owner === owner ? row : undefined;
  }

  private batchesOf(planId: string): BulkBatchRow[] {
    return [...this.data.bulkBatches.values()].filter(({ batch }) => batch.planId === planId);
  }
}

function counted(plan: BulkPlan, visited: number, { changed, failures }: BulkResult): BulkPlan {
  return {
    ...plan,
    visited: plan.visited + visited,
    changed: plan.changed + changed,
    failed: plan.failed + failures.length,
    failures: [...plan.failures, ...isolate(failures)].slice(0, MAX_FAILURES),
  };
}

function byAge(left: BulkPlanRow, right: BulkPlanRow): number {
  return compareTime(left.plan.createdAt, right.plan.createdAt) || compareText(left.plan.id, right.plan.id);
}
