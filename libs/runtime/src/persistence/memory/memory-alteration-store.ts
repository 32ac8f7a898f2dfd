import type {
  AlterationJob,
  AlterationJobResult,
  AlterationPlan,
  AlterationStore,
  SubmittedPlan,
} from '../alteration-store.js';
import { MessageConsumedError } from '../persistence-errors.js';
import type { OutboxMessage } from '../records.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';
import { addMessages } from './memory-outbox-store.js';

export class MemoryAlterationStore implements AlterationStore {
  constructor(private readonly data: MemoryData) {}

  async submit(plan: AlterationPlan, message: OutboxMessage): Promise<boolean> {
    const { alterationPlans } = this.data;
    if (alterationPlans.has(plan.id)) return false;
    const [row, messages] = [isolate(plan, 'plan'), isolate([message], 'outbox')];
    alterationPlans.set(row.id, row);
    addMessages(this.data, messages);
    return true;
  }

  async start(
    planId: string,
    jobs: readonly AlterationJob[],
    messages: readonly OutboxMessage[],
    consumedMessageId: string,
    now: Date,
  ): Promise<void> {
    const { alterationJobs, alterationPlans, openAlterationJobs, outbox } = this.data;
    if (!outbox.has(consumedMessageId)) throw new MessageConsumedError(consumedMessageId);
    const [rows, added] = [isolate(jobs, 'jobs'), isolate(messages, 'outbox')];
    outbox.delete(consumedMessageId);
    for (const job of rows) alterationJobs.put(job);
    openAlterationJobs.set(planId, rows.length);
    addMessages(this.data, added);
    const plan = alterationPlans.get(planId);
    const ended = jobs.length === 0 ? { status: 'Completed' as const, completedAt: new Date(now) } : {};
    if (plan) alterationPlans.set(planId, { ...plan, status: 'Running', startedAt: new Date(now), ...ended });
  }

  async fail(planId: string, now: Date): Promise<void> {
    const plan = this.data.alterationPlans.get(planId);
    if (plan?.status === 'Pending')
      this.data.alterationPlans.set(planId, { ...plan, status: 'Failed', completedAt: new Date(now) });
  }

  async find(planId: string): Promise<SubmittedPlan | undefined> {
    const plan = this.data.alterationPlans.get(planId);
    return plan && isolate({ plan, jobs: this.jobsOf(planId) });
  }

  async findPlan(planId: string): Promise<AlterationPlan | undefined> {
    return isolate(this.data.alterationPlans.get(planId));
  }

  async findJob(jobId: string): Promise<AlterationJob | undefined> {
    return isolate(this.data.alterationJobs.get(jobId));
  }

  async startJob(jobId: string, now: Date): Promise<void> {
    const job = this.data.alterationJobs.get(jobId);
    if (job && isOpen(job)) this.data.alterationJobs.put({ ...job, status: 'Running', startedAt: new Date(now) });
  }

  async finishJob(jobId: string, { status, log }: AlterationJobResult, now: Date): Promise<boolean> {
    const { alterationJobs, alterationPlans, openAlterationJobs } = this.data;
    const job = alterationJobs.get(jobId);
    if (!job || !isOpen(job)) return false;
    alterationJobs.put({ ...job, status, log: isolate(log, 'log'), completedAt: new Date(now) });
    const open = (openAlterationJobs.get(job.planId) ?? 1) - 1;
    openAlterationJobs.set(job.planId, open);
    const plan = alterationPlans.get(job.planId);
    if (plan && open === 0) alterationPlans.set(plan.id, { ...plan, status: 'Completed', completedAt: new Date(now) });
    return true;
  }

  async purge(before: Date, limit: number): Promise<number> {
    const { alterationJobs, alterationPlans } = this.data;
    let removed = 0;
    for (const { id, completedAt } of [...alterationPlans.values()]) {
      if (!completedAt || completedAt >= before) continue;
      const jobs = [...alterationJobs.find('plan', id)].slice(0, limit - removed);
      for (const job of jobs) alterationJobs.delete(job.id);
      removed += jobs.length;
      if (removed === limit) break;
      alterationPlans.delete(id);
      this.data.openAlterationJobs.delete(id);
      if (++removed === limit) break;
    }
    return removed;
  }

  /** In order of insertion: a row that is put again moves to the end of its index. */
  private jobsOf(planId: string): AlterationJob[] {
    const ids = new Set([...this.data.alterationJobs.find('plan', planId)].map(({ id }) => id));
    return [...this.data.alterationJobs.values()].filter(({ id }) => ids.has(id));
  }
}

function isOpen({ status }: AlterationJob): boolean {
  return status === 'Pending' || status === 'Running';
}
