import { Inject, Injectable } from '@nestjs/common';
import {
  type Alteration,
  AlterationPlans,
  type AlterationResult,
  AlterationRunner,
  type PlanRequester,
  WorkflowClock,
  WorkflowPersistence,
} from '@waymark/runtime';
import {
  BULK_CONCURRENCY,
  InstanceRetries,
  severalAtATime,
  StoreOutages,
  WorkflowLogger,
} from '@waymark/runtime/adapter';
import { InvalidRequestError } from '../answers/api-errors.js';
import { shownError } from '../answers/error-answer.js';
import { accepted, bulkPlanPath } from '../bulk/plan-answers.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { ApiPath } from '../requests/api-path.js';
import type { HttpReply } from '../requests/http-request.js';

/** In the format of Elsa, which has no `planId`. */
export interface AlterationAnswer {
  /** Of each instance, in the order of the request; none where a plan does the work. */
  readonly results: readonly AlterationResult[];
  /** Of the plan, whose address is in `Location`. */
  readonly planId?: string;
}

/** Repairs named instances: up to `synchronousBulkLimit` before the request is answered, several at a time, more by a plan. */
@Injectable()
export class AlterationRequests {
  private readonly logger = new WorkflowLogger('WorkflowApi');

  constructor(
    private readonly runner: AlterationRunner,
    private readonly retries: InstanceRetries,
    private readonly plans: AlterationPlans,
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly path: ApiPath,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  /** @throws InvalidRequestError for unknown ids, before anything is changed */
  async run(
    ids: readonly string[],
    alterations: readonly Alteration[],
    by: string | undefined,
    reply: HttpReply,
  ): Promise<AlterationAnswer> {
    await this.requireAll(ids);
    if (this.isFew(ids)) return this.each(ids, (id) => this.runner.run(id, alterations, { by }));
    return this.alterByPlan(ids, alterations, by, reply);
  }

  /**
   * Runs the activities again at which the instances failed, or those named.
   * @throws InvalidRequestError likewise
   */
  async retry(
    ids: readonly string[],
    activityIds: readonly string[] | undefined,
    by: PlanRequester,
    reply: HttpReply,
  ): Promise<AlterationAnswer> {
    await this.requireAll(ids);
    if (activityIds?.length) {
      const alterations = activityIds.map((activityId): Alteration => {
        return { type: 'ScheduleActivity', activityId, onlyFaulted: true };
      });
      if (this.isFew(ids)) return this.each(ids, (id) => this.runner.run(id, alterations));
      return this.alterByPlan(ids, alterations, by.actor, reply);
    }
    if (this.isFew(ids)) return this.each(ids, (id) => this.retries.retry(id));
    const planId = await this.retries.submit(ids, by);
    accepted(reply, bulkPlanPath(this.path, planId));
    return { results: [], planId };
  }

  private isFew(ids: readonly string[]): boolean {
    return ids.length <= this.options.synchronousBulkLimit;
  }

  /**
   * An error of one instance is its result: a caller that got nothing else would repeat the request, and run activities of the others
   * twice. So is the fault of the store that ends the work, for all that are left.
   * @throws what failed first, if nothing has a result
   */
  private async each(
    ids: readonly string[],
    alter: (id: string) => Promise<AlterationResult>,
  ): Promise<AlterationAnswer> {
    const results = new Map<string, AlterationResult>();
    const errors = new Map<string, unknown>();
    let fault: { readonly error: unknown } | undefined;
    try {
      const task = async (id: string) => results.set(id, await alter(id));
      for (const { item, error } of await severalAtATime(ids, BULK_CONCURRENCY, task)) errors.set(item, error);
    } catch (error) {
      fault = { error };
    }
    if (results.size === 0 && ids.length > 0) throw fault ? fault.error : [...errors.values()][0];
    const failed = (id: string) => this.failure(id, errors.has(id) ? errors.get(id) : fault?.error);
    return { results: ids.map((id) => results.get(id) ?? failed(id)) };
  }

  private failure(workflowInstanceId: string, error: unknown): AlterationResult {
    const { code, message, isShown } = shownError(error);
    // The answer shows nothing of what is no error of Waymark, nor of the database.
    if (!isShown && !this.outages.report(error)) this.logger.error(error);
    const timestamp = new Date(this.clock.now());
    const entry = { code, message, logLevel: 'Error' as const, timestamp, eventName: 'Alteration failed' };
    return { workflowInstanceId, log: { logEntries: [entry] }, workflowHasScheduledWork: false, isSuccessful: false };
  }

  private async alterByPlan(
    ids: readonly string[],
    alterations: readonly Alteration[],
    by: string | undefined,
    reply: HttpReply,
  ): Promise<AlterationAnswer> {
    await this.requireSelectable(ids);
    const planId = (await this.plans.submit({ alterations, filter: { workflowInstanceIds: ids }, by }))!;
    accepted(reply, `${this.path.base}/alterations/${encodeURIComponent(planId)}`);
    return { results: [], planId };
  }

  /** Unknown ids are reported before anything is changed. */
  private async requireAll(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const known = new Set(await this.persistence.instances.findIds({ ids }));
    refuse(
      ids.filter((id) => !known.has(id)),
      (id) => `There is no workflow instance "${id}".`,
    );
  }

  /** A plan selects instances of the system's workflows, or the others: it would leave these out. */
  private async requireSelectable(ids: readonly string[]): Promise<void> {
    refuse(
      await this.persistence.instances.findIds({ ids, isSystem: true }),
      (id) =>
        `"${id}" is an instance of a system workflow: alter it in a request of at most ${this.options.synchronousBulkLimit} instances, ` +
        'or with alterations/submit and isSystem.',
    );
  }
}

function refuse(ids: readonly string[], why: (id: string) => string): void {
  if (ids.length > 0) throw new InvalidRequestError({ workflowInstanceIds: ids.map(why) });
}
