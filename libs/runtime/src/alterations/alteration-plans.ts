import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { WaymarkError } from '@waymark/core';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { isRefusedByNode } from '../outbox/refused-by-node.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { type AlterationFilter, readableBefore } from '../persistence/alteration-selection.js';
import type {
  AlterationJob,
  AlterationJobResult,
  AlterationPlan,
  SubmittedPlan,
} from '../persistence/alteration-store.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { Alteration, AlterationLogEntry } from '../persistence/alteration.js';
import { AlterationRunner, isRepeatable } from './alteration-runner.js';
import { AlterationSelections, type JobMessage } from './alteration-selections.js';
import { openAlterations, sealAlterations } from './sealed-alterations.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

const JOBS_AT_ONCE = 500;

/** A plan to submit. */
export interface NewAlterationPlan {
  /** Id of the plan. If the id is in use, nothing is done. @default a new random id */
  readonly id?: string | undefined;
  /** The alterations of each instance: all are applied or none. */
  readonly alterations: readonly Alteration[];
  /** The alterations as the caller gave them, if they differ. @default alterations */
  readonly submitted?: readonly object[];
  /** Selects the instances. */
  readonly filter: AlterationFilter;
  /** Author of the plan, recorded in the plan and in the journals of its instances. */
  readonly by?: string | undefined;
}

/** Payloads of kind `alteration-plan`, and `alteration-job-done`. */
interface PlanMessage {
  readonly planId: string;
}
interface JobDoneMessage {
  readonly jobId: string;
  readonly log: readonly AlterationLogEntry[];
}

/**
 * Alters many instances in the background, on any node. A plan becomes jobs part by part, each part in one transaction with how
 * far the plan is and a message for each job; the commit that alters an instance consumes the job's message and leaves another
 * one that notes its result. So a crash repeats no alteration and forgets none (W8, W9).
 */
@Injectable()
export class AlterationPlans implements OnModuleInit {
  private readonly logger = new WorkflowLogger('WorkflowAlterations');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly selections: AlterationSelections,
    private readonly runner: AlterationRunner,
    private readonly outbox: OutboxProcessor,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Called by Nest. */
  onModuleInit(): void {
    this.outbox.register({
      kind: 'alteration-plan',
      handle: (message) => this.adopt(message),
      abandon: ({ payload }) => this.persistence.alterations.fail((payload as PlanMessage).planId, this.now()),
    });
    this.outbox.register({
      kind: 'alteration-job',
      handle: (message) => this.serveJob(message),
      abandon: async ({ payload }, error) => {
        const { jobId } = payload as JobMessage;
        await this.persistence.alterations.finishJob(jobId, this.failure(error), this.now());
      },
    });
    this.outbox.register({ kind: 'alteration-job-done', handle: (message) => this.serveDone(message) });
  }

  /** Finds a plan with all of its jobs, of which there may be many: see `findPlan` and `jobs`. */
  find(planId: string): Promise<SubmittedPlan | undefined> {
    return this.persistence.alterations.find(planId);
  }

  /** Finds a plan without its jobs. */
  findPlan(planId: string): Promise<AlterationPlan | undefined> {
    return this.persistence.alterations.findPlan(planId);
  }

  /** Lists the jobs of a plan in the order of their creation, page by page. */
  async *jobs(planId: string): AsyncGenerator<readonly AlterationJob[], void> {
    for (let after: string | undefined; ;) {
      const { jobs, next } = await this.persistence.alterations.findJobs(planId, JOBS_AT_ONCE, after);
      if (jobs.length > 0) yield jobs;
      if (next === undefined) return;
      after = next;
    }
  }

  /**
   * Stores a plan, which any node may carry out.
   * @returns the id of the stored plan; undefined if the given id is in use
   */
  async submit({ id, alterations, submitted, filter, by }: NewAlterationPlan): Promise<string | undefined> {
    const planId = id ?? this.engine.newId();
    const plan = {
      id: planId,
      ...sealAlterations(this.options.encryption, planId, alterations, submitted),
      workflowInstanceFilter: readableBefore(filter),
      ...(by !== undefined && { submittedBy: by }),
      status: 'Pending' as const,
      createdAt: this.now(),
    };
    if (!(await this.persistence.alterations.submit(plan))) return undefined;
    await this.selections.begin(plan);
    return planId;
  }

  /**
   * Ends a plan: jobs that have not begun fail, and what was altered stays altered.
   * @returns false when it had ended, or there is none
   */
  cancel(planId: string): Promise<boolean> {
    return this.persistence.alterations.cancel(planId, this.now());
  }

  /** A message of the version before, which would have made all jobs at once. */
  private async adopt(message: OutboxMessage): Promise<void> {
    const { planId } = message.payload as PlanMessage;
    const plan = await this.persistence.alterations.findPlan(planId);
    if (plan?.status !== 'Pending') return this.forget(message);
    await this.persistence.alterations.adopt(planId, message.id);
    await this.selections.begin(plan);
  }

  private async serveJob(message: OutboxMessage): Promise<void> {
    const { alterations } = this.persistence;
    const job = await alterations.findJob((message.payload as JobMessage).jobId);
    const plan = job && (await alterations.findPlan(job.planId));
    if (!plan || job.completedAt) return this.forget(message);
    if (plan.unreadable) throw plan.unreadable;
    if (plan.isCancelled) {
      await alterations.finishJob(
        job.id,
        { status: 'Failed', log: [this.entry('The plan was cancelled.')] },
        this.now(),
      );
      return this.forget(message);
    }
    await alterations.startJob(job.id, this.now());
    const opened = openAlterations(this.options.encryption, plan.id, plan.alterations);
    const result = await this.alter(job, opened, message.id, plan.submittedBy);
    if (!result) return;
    await alterations.finishJob(job.id, result, this.now());
    await this.forget(message);
  }

  /** @returns undefined when the commit has consumed the message and left one with the result */
  private async alter(
    { id: jobId, planId, workflowInstanceId }: AlterationJob,
    alterations: readonly Alteration[],
    messageId: string,
    by: string | undefined,
  ): Promise<AlterationJobResult | undefined> {
    const report = (log: readonly AlterationLogEntry[]) => {
      const payload: JobDoneMessage = { jobId, log };
      return { kind: 'alteration-job-done', payload };
    };
    const order = { planId, jobId, by, extras: { consumedMessageIds: [messageId] }, report };
    try {
      const { isSuccessful, log } = await this.runner.run(workflowInstanceId, alterations, order);
      // A retry of what has not failed commits nothing.
      if (isSuccessful && !isRepeatable(alterations) && log.logEntries.length > 0) return undefined;
      return { status: isSuccessful ? 'Completed' : 'Failed', log: log.logEntries };
    } catch (error) {
      if (!isFinal(error)) throw error;
      return this.failure(toErrorLike(error).message);
    }
  }

  private async serveDone(message: OutboxMessage): Promise<void> {
    const { jobId, log } = message.payload as JobDoneMessage;
    await this.persistence.alterations.finishJob(jobId, { status: 'Completed', log }, this.now());
    await this.forget(message);
  }

  private failure(message: string): AlterationJobResult {
    this.logger.warn(`An alteration failed: ${message}`);
    return { status: 'Failed', log: [this.entry(message)] };
  }

  private entry(message: string): AlterationLogEntry {
    return { message, logLevel: 'Error', timestamp: this.now(), eventName: 'Alteration failed' };
  }

  private async forget(message: OutboxMessage): Promise<void> {
    await this.persistence.outbox.delete(message.id);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

/**
 * Whether the error is about the instance or the request. A failing store, a paused runtime or missing code says nothing about
 * the job.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof WaymarkError) || error.code.startsWith('WM7')) return false;
  // Nor does an instance with a burst under way, nor what this node cannot do or read.
  return error.code !== 'WM2051' && !isRefusedByNode(error);
}
