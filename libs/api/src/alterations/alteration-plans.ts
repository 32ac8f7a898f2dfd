import { Injectable, Logger } from '@nestjs/common';
import { toErrorLike } from '@waymark/core';
import { WorkflowClock, WorkflowEngine } from '@waymark/runtime';
import { ConflictError } from '../answers/api-errors.js';
import type { Alteration, AlterationJson, AlterationLogEntry } from './alteration.js';
import { AlterationTargets, type AlterationFilter } from './alteration-filter.js';
import { AlterationRunner } from './alteration-runner.js';

/** Pending → Generating → Running → Completed | Failed. */
export interface AlterationPlan {
  readonly id: string;
  readonly alterations: readonly AlterationJson[];
  readonly workflowInstanceFilter: AlterationFilter;
  status: 'Pending' | 'Generating' | 'Dispatching' | 'Running' | 'Completed' | 'Failed';
  readonly createdAt: Date;
  startedAt?: Date;
  completedAt?: Date;
}

/** One instance of a plan. Pending → Running → Completed | Failed. */
export interface AlterationJob {
  readonly id: string;
  readonly planId: string;
  readonly workflowInstanceId: string;
  status: 'Pending' | 'Running' | 'Completed' | 'Failed';
  log?: readonly AlterationLogEntry[];
  readonly createdAt: Date;
  startedAt?: Date;
  completedAt?: Date;
}

export interface SubmittedPlan {
  readonly plan: AlterationPlan;
  readonly jobs: readonly AlterationJob[];
}

/** Plans that can be asked about; the oldest finished ones are forgotten. */
const MAX_PLANS = 1000;

/**
 * Applies alterations to many instances in the background. Plans live in this process: one that is cut short by its end
 * is not taken up again, and is gone from `GET /alterations/{id}`; each single instance is altered as a whole or not.
 */
@Injectable()
export class AlterationPlans {
  private readonly logger = new Logger('WorkflowApi');
  private readonly plans = new Map<string, { plan: AlterationPlan; jobs: AlterationJob[] }>();

  private readonly executions = new Set<Promise<void>>();

  constructor(
    private readonly targets: AlterationTargets,
    private readonly runner: AlterationRunner,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  find(id: string): SubmittedPlan | undefined {
    return this.plans.get(id);
  }

  /** Resolves when the plans that are being executed have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.executions);
  }

  /** @returns the id of the plan, which is being executed @throws ConflictError when the id is in use */
  submit(
    given: { id?: string | undefined; json: readonly AlterationJson[]; filter: AlterationFilter },
    alterations: readonly Alteration[],
  ): string {
    const id = given.id ?? this.engine.newId();
    if (this.plans.has(id)) throw new ConflictError(`There is an alteration plan "${id}" already. Choose another id.`);
    const plan: AlterationPlan = {
      id,
      alterations: given.json,
      workflowInstanceFilter: given.filter,
      status: 'Pending',
      createdAt: this.now(),
    };
    const entry = { plan, jobs: [] as AlterationJob[] };
    this.plans.set(id, entry);
    this.forgetOldest();
    const execution = this.execute(entry, alterations).finally(() => this.executions.delete(execution));
    this.executions.add(execution);
    return id;
  }

  private async execute(
    { plan, jobs }: { plan: AlterationPlan; jobs: AlterationJob[] },
    alterations: readonly Alteration[],
  ) {
    try {
      plan.status = 'Generating';
      const ids = await this.targets.find(plan.workflowInstanceFilter);
      for (const workflowInstanceId of ids)
        jobs.push({
          id: this.engine.newId(),
          planId: plan.id,
          workflowInstanceId,
          status: 'Pending',
          createdAt: this.now(),
        });
      plan.status = 'Running';
      plan.startedAt = this.now();
      for (const job of jobs) await this.runJob(job, alterations);
      plan.status = 'Completed';
    } catch (error) {
      plan.status = 'Failed';
      this.logger.error(`Alteration plan "${plan.id}" failed: ${toErrorLike(error).message}`, toErrorLike(error).stack);
    }
    plan.completedAt = this.now();
  }

  /** One instance that cannot be altered does not keep the others from it. */
  private async runJob(job: AlterationJob, alterations: readonly Alteration[]): Promise<void> {
    job.status = 'Running';
    job.startedAt = this.now();
    try {
      const result = await this.runner.run(job.workflowInstanceId, alterations);
      job.log = result.log.logEntries;
      job.status = result.isSuccessful ? 'Completed' : 'Failed';
    } catch (error) {
      const { message } = toErrorLike(error);
      job.log = [{ message, logLevel: 'Error', timestamp: this.now(), eventName: 'Alteration failed' }];
      job.status = 'Failed';
    }
    job.completedAt = this.now();
  }

  private forgetOldest(): void {
    if (this.plans.size <= MAX_PLANS) return;
    const oldest = [...this.plans.values()].find(({ plan }) => plan.completedAt !== undefined);
    if (oldest) this.plans.delete(oldest.plan.id);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
