import { Injectable } from '@nestjs/common';
import { afterCommit } from '../persistence/after-commit.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type {
  BulkBatch,
  BulkPlan,
  BulkResult,
  DefinitionDeletion,
  PlanRequester,
} from '../persistence/bulk-plan-store.js';
import { inChunks } from '../persistence/in-chunks.js';
import type { Page, PagedResult } from '../persistence/paging.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import { requireSelective } from '../persistence/require-selective.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BulkAction, type BulkRequest } from '../persistence/bulk-action.js';
import { BulkPlanWorker } from './bulk-plan-worker.js';
import { BULK_BATCH } from '../persistence/bulk-batch-size.js';
import { BulkTargets } from './bulk-targets.js';
import { BulkProgress, BulkWork } from './bulk-work.js';

/** How a plan is submitted. */
export interface SubmitOptions {
  /** One that is in use changes nothing. @default a new one */
  readonly id?: string | undefined;
  /** What is deleted when all has been done; see `DefinitionDeletions`. @default nothing */
  readonly deletes?: DefinitionDeletion | undefined;
  /** Who asks for it. @default code of the application */
  readonly requestedBy?: PlanRequester | undefined;
}

/** The result of a request: the work is done, or a plan does it. */
export type BulkOutcome =
  | ({ readonly planId?: undefined } & BulkResult)
  | { readonly planId: string; readonly changed: 0; readonly failures: readonly [] };

/**
 * Work on many instances or dead letters. A little of it is done at once; a lot becomes a plan, which any number of nodes carry
 * out in the background, a batch at a time. A crash repeats a batch at most, and each action can be repeated (W8).
 */
@Injectable()
export class BulkPlans {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly targets: BulkTargets,
    private readonly work: BulkWork,
    private readonly worker: BulkPlanWorker,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  /**
   * Does the work before it returns. If more than `most` are selected, or counting them would read too many rows, it stores a
   * plan instead and returns its `planId`. What is created after the call is not selected.
   * @param requestedBy who asks for it. @default code of the application
   * @throws EmptyFilterError (`WM7008`) for a filter of instances without a condition
   */
  async run(request: BulkRequest, most: number, requestedBy?: PlanRequester): Promise<BulkOutcome> {
    const bounded = this.untilNow(request);
    const ids = await this.findUpTo(bounded, most);
    if (!ids) return { planId: await this.submit(bounded, { requestedBy }), changed: 0, failures: [] };
    const result = { changed: 0, failures: [] as BulkResult['failures'][number][] };
    await inChunks(ids, BULK_BATCH, async (chunk) => {
      const progress = new BulkProgress(chunk);
      await afterCommit(
        () => this.work.perform(request.action, progress),
        () => result.changed + progress.changed > 0,
      );
      result.changed += progress.changed;
      result.failures.push(...progress.failures);
    });
    return result;
  }

  /**
   * Stores a plan, which any node carries out; this one begins at once. Ids that the filters name are looked up before it returns, and
   * stored as batches: a node that continues the plan reads its batch, and never the list. So is what `nameContains` or `until` selects,
   * which nodes with the build before do not know.
   * @returns the id
   * @throws EmptyFilterError (`WM7008`) for a filter of instances without a condition
   */
  async submit(
    request: BulkRequest,
    { id = this.engine.newId(), deletes, requestedBy }: SubmitOptions = {},
  ): Promise<string> {
    const bounded = this.untilNow(request);
    const batches = deletes ? undefined : await this.cutNamed(bounded);
    const selection = batches ? named(bounded) : bounded.filters;
    const createdAt = new Date(this.clock.now());
    const selected = (batches ?? []).reduce((sum, { ids }) => sum + ids.length, 0);
    const plan: BulkPlan = {
      id,
      action: request.action,
      selection,
      deletes,
      requestedBy,
      status: batches ? (selected > 0 ? 'Running' : 'Completed') : 'Pending',
      selected,
      isSelected: batches !== undefined,
      visited: 0,
      changed: 0,
      failed: 0,
      failures: [],
      createdAt,
      ...(batches && { startedAt: createdAt, ...(selected === 0 && { completedAt: createdAt }) }),
    };
    await this.persistence.bulkPlans.submit(plan, { batches });
    this.worker.wake();
    return id;
  }

  /** Returns the plan and its progress; undefined if it does not exist. */
  find(id: string): Promise<BulkPlan | undefined> {
    return this.persistence.bulkPlans.find(id);
  }

  /** Lists plans, the newest first. */
  findMany(page?: Page): Promise<PagedResult<BulkPlan>> {
    return this.persistence.bulkPlans.findMany(page);
  }

  /**
   * Cancels a plan: nothing more is begun, and finished work is not undone. Returns false if it has ended or does not exist.
   */
  cancel(id: string): Promise<boolean> {
    return this.persistence.bulkPlans.cancel(id, new Date(this.clock.now()));
  }

  /** Undefined: there are more, or finding out would mean reading too many rows. */
  private async findUpTo(request: BulkRequest, most: number): Promise<string[] | undefined> {
    const ids = new Set<string>();
    let cursor: string | undefined;
    // One query for each filter tells, unless it reads rows that are not selected.
    for (let looks = 0; looks <= request.filters.length; looks++) {
      const found = await this.targets.next(request, cursor, most + 1);
      for (const id of found.ids) ids.add(id);
      if (ids.size > most) return undefined;
      if (found.next === undefined) return [...ids];
      cursor = found.next;
    }
    return undefined;
  }

  /** Undefined: what is selected is not named, and every node can find it. */
  private async cutNamed(request: BulkRequest): Promise<Pick<BulkBatch, 'id' | 'ids'>[] | undefined> {
    const isNamed = request.filters.length > 0 && request.filters.every(({ ids }) => ids);
    if (!isNamed && !request.filters.some(isUnknownBefore)) return undefined;
    const batches: Pick<BulkBatch, 'id' | 'ids'>[] = [];
    for (let cursor: string | undefined; ;) {
      const { ids, next } = await this.targets.next(request, cursor, BULK_BATCH);
      if (ids.length > 0) batches.push({ id: this.engine.newId(), ids });
      if (next === undefined) return batches;
      cursor = next;
    }
  }

  /** A plan that selected instances started while it runs might never end. */
  private untilNow(request: BulkRequest): BulkRequest {
    const now = new Date(this.clock.now());
    const next = new Date(now.getTime() + 1);
    switch (request.action) {
      case BulkAction.CancelInstances:
      case BulkAction.DeleteInstances: {
        for (const filter of request.filters) requireSelective(filter);
        const until = { column: 'CreatedAt', operator: 'LessThanOrEqual', timestamp: now } as const;
        const filters = request.filters.map((filter) =>
          filter.ids ? filter : { ...filter, timestamps: [...(filter.timestamps ?? []), until] },
        );
        return { action: request.action, filters };
      }
      case BulkAction.ReplayMessages:
      case BulkAction.DeleteMessages:
        return { action: request.action, filters: request.filters.map((f) => ({ createdBefore: next, ...f })) };
      case BulkAction.ReplayStimuli:
        return {
          action: request.action,
          filters: request.filters.map((f) => ({ deadLetteredBefore: next, ...f, canReplay: true })),
        };
      case BulkAction.DeleteStimuli:
        return { action: request.action, filters: request.filters.map((f) => ({ deadLetteredBefore: next, ...f })) };
    }
  }
}

/** As it is shown: how many ids, which are in the batches. No node selects by it, as everything has been found. */
function named({ filters }: BulkRequest): BulkPlan['selection'] {
  return filters.map(({ ids, ...filter }) => ({
    ...filter,
    ...(ids && { idCount: ids.length }),
  })) as BulkPlan['selection'];
}

/**
 * Has conditions that nodes with the build before do not know: they would leave them out, and delete or cancel what is not selected. Such
 * a plan finds everything before it is stored.
 */
function isUnknownBefore(filter: BulkRequest['filters'][number]): boolean {
  const { nameContains, timestamps } = filter as InstanceFilter;
  return nameContains !== undefined || timestamps?.some(({ until }) => until !== undefined) === true;
}
