import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkLoop } from '../bulk/work-loop.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { isUnreadableHere } from '../outages/unreadable-here.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { LeftAlone } from '../outages/left-alone.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { AlterationJob, AlterationPlan, OpenAlterationPlan } from '../persistence/alteration-store.js';
import { isOutageOfCall } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { AlterationTargets } from './alteration-targets.js';

/** Plans that take turns, each with a part of its instances. */
const PLANS_AT_ONCE = 20;
/** How long this node leaves a plan alone whose selection failed. */
const LEFT_ALONE = { firstMs: 5000, longestMs: 300_000 };

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
  private readonly leftAlone: LeftAlone;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly targets: AlterationTargets,
    private readonly outbox: OutboxProcessor,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    this.leftAlone = new LeftAlone(clock, LEFT_ALONE);
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
    const open = await this.persistence.alterations.findOpen(PLANS_AT_ONCE, this.leftAlone.ids());
    let hasMore = false;
    for (const plan of open) {
      // A store that does not know the parameter finds it again.
      if (this.leftAlone.has(plan.plan.id)) continue;
      if ((await this.triesToCut(plan)) === false) hasMore = true;
    }
    return hasMore;
  }

  /** A plan that fails, or takes the database too long, does not keep others waiting. @returns as `cut`; undefined when it failed */
  private async triesToCut(open: OpenAlterationPlan): Promise<boolean | undefined> {
    const { id } = open.plan;
    try {
      const isSelected = await this.cut(open);
      this.leftAlone.forget(id);
      return isSelected;
    } catch (error) {
      if (!isOutageOfCall(error) && this.outages.report(error)) return undefined;
      const { failures, isNews } = this.leftAlone.note(id, error);
      // One that only other nodes can read is theirs.
      const isLast = failures >= this.options.maxDeliveryAttempts && !isUnreadableHere(error);
      const then = isLast ? 'It has failed' : 'Retrying, unless it is cancelled';
      if (isNews || isLast)
        this.logger.warn(
          `Failed to select the instances of alteration plan ${id}. ${then}: ${toErrorLike(error).message}`,
        );
      if (!isLast) return undefined;
      await this.persistence.alterations.fail(id, this.now());
      this.leftAlone.forget(id);
      return undefined;
    }
  }

  /** @returns whether all instances have been found */
  private async cut(open: OpenAlterationPlan): Promise<boolean> {
    const { plan } = open;
    if (plan.unreadable) throw plan.unreadable;
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
