import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkLoop } from '../bulk/work-loop.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { AlterationJob, AlterationPlan, OpenAlterationPlan } from '../persistence/alteration-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { AlterationTargets } from './alteration-targets.js';

/** Plans that take turns, each with a part of its instances. */
const PLANS_AT_ONCE = 20;

/** Payload of kind `alteration-job`. */
export interface JobMessage {
  readonly jobId: string;
}

/**
 * Makes jobs of alteration plans on this node, a part of the instances at a time. It begins with a new plan, and takes over what other
 * nodes have left when it is woken by the pulse: of two that continue one plan, one is refused.
 */
@Injectable()
export class AlterationSelections {
  private readonly logger = new WorkflowLogger('WorkflowAlterations');
  private readonly loop: WorkLoop;
  /** By plan: how often this node failed to find its instances. */
  private readonly faults = new Map<string, number>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly targets: AlterationTargets,
    private readonly outbox: OutboxProcessor,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    const onFault = (error: unknown) =>
      this.logger.warn(`Failed to look up alteration plans: ${toErrorLike(error).message}`);
    this.loop = new WorkLoop(outages, () => this.step(), onFault);
  }

  /** Makes the first jobs of a plan that was just stored, and begins to make the others. */
  async begin(plan: AlterationPlan): Promise<void> {
    if (!(await this.triesToCut({ plan, cursor: undefined }))) this.wake();
  }

  /** Looks for plans without waiting for it. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves when this node makes no jobs. */
  settled(): Promise<void> {
    return this.loop.settled();
  }

  /** Resolves when the jobs at hand are made; the others are for other nodes, or the next start. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** @returns whether there may be more */
  private async step(): Promise<boolean> {
    const open = await this.persistence.alterations.findOpen(PLANS_AT_ONCE);
    let hasMore = false;
    for (const plan of open) if ((await this.triesToCut(plan)) === false) hasMore = true;
    return hasMore;
  }

  /** A plan that fails does not keep others waiting. @returns as `cut`; undefined when it failed */
  private async triesToCut(open: OpenAlterationPlan): Promise<boolean | undefined> {
    const { id } = open.plan;
    try {
      const isSelected = await this.cut(open);
      this.faults.delete(id);
      return isSelected;
    } catch (error) {
      if (this.outages.report(error)) return undefined;
      const faults = (this.faults.get(id) ?? 0) + 1;
      this.faults.set(id, faults);
      const isLast = faults >= this.options.maxDeliveryAttempts;
      const then = isLast ? 'It has failed' : 'Retrying';
      this.logger.warn(
        `Failed to select the instances of alteration plan ${id}. ${then}: ${toErrorLike(error).message}`,
      );
      if (!isLast) return undefined;
      this.faults.delete(id);
      await this.persistence.alterations.fail(id, this.now());
      return undefined;
    }
  }

  /** @returns whether all instances have been found */
  private async cut(open: OpenAlterationPlan): Promise<boolean> {
    const { plan } = open;
    const { ids, next } = await this.targets.next(plan.workflowInstanceFilter, open.cursor, plan.createdAt);
    const now = this.now();
    const jobs = ids.map((workflowInstanceId): AlterationJob => ({
      id: this.engine.newId(),
      planId: plan.id,
      workflowInstanceId,
      status: 'Pending',
      createdAt: now,
    }));
    const payloads = jobs.map(({ id }): JobMessage => ({ jobId: id }));
    const messages = this.outbox.prepare(payloads.map((payload) => ({ kind: 'alteration-job', payload })));
    // Another node was faster: read the plan again to see what is left.
    if (!(await this.persistence.alterations.cut(open, { jobs, messages, next }, now))) return false;
    this.outbox.deliverSoon(messages);
    return next === undefined;
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
