import type {
  AlterationCut,
  AlterationJob,
  AlterationJobPage,
  AlterationJobResult,
  AlterationPlan,
  AlterationStore,
  OpenAlterationPlan,
  SubmittedPlan,
} from '../alteration-store.js';
import { MessageConsumedError } from '../persistence-errors.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';
import { addMessages } from './memory-outbox-store.js';
import { compareText, compareTime } from './ordering.js';

export class MemoryAlterationStore implements AlterationStore {
  constructor(private readonly data: MemoryData) {}

  async submit(plan: AlterationPlan): Promise<boolean> {
    if (this.data.alterationPlans.has(plan.id)) return false;
    const row = isolate(plan, 'plan');
    this.data.alterationPlans.set(row.id, row);
    this.open(row.id);
    return true;
  }

  async adopt(planId: string, consumedMessageId: string): Promise<void> {
    const { alterationPlans, outbox } = this.data;
    if (!outbox.delete(consumedMessageId)) throw new MessageConsumedError(consumedMessageId);
    if (alterationPlans.get(planId)?.status === 'Pending') this.open(planId);
  }

  async findOpen(limit: number, exceptIds: readonly string[] = []): Promise<OpenAlterationPlan[]> {
    const open = [...this.data.alterationCursors].flatMap(([id, cursor]) => {
      const plan = this.data.alterationPlans.get(id);
      return plan && !exceptIds.includes(id) ? [{ plan, cursor }] : [];
    });
    open.sort(({ plan: l }, { plan: r }) => compareTime(l.createdAt, r.createdAt) || compareText(l.id, r.id));
    return isolate(open.slice(0, limit));
  }

  async cut(
    { plan: { id: planId }, cursor }: OpenAlterationPlan,
    { jobs, messages, next }: AlterationCut,
    now: Date,
  ): Promise<boolean> {
    const { alterationCursors, alterationJobs, alterationPlans, openAlterationJobs } = this.data;
    const plan = alterationPlans.get(planId);
    if (!plan || !alterationCursors.has(planId) || alterationCursors.get(planId) !== cursor) return false;
    const [rows, added] = [isolate(jobs, 'jobs'), isolate(messages, 'outbox')];
    for (const job of rows) alterationJobs.put(job);
    addMessages(this.data, added);
    openAlterationJobs.set(planId, (openAlterationJobs.get(planId) ?? 0) + rows.length);
    alterationPlans.set(planId, { ...plan, status: 'Running', startedAt: plan.startedAt ?? new Date(now) });
    if (next === undefined) {
      alterationCursors.delete(planId);
      this.closeOne(planId, now);
    } else alterationCursors.set(planId, next);
    return true;
  }

  async fail(planId: string, now: Date): Promise<void> {
    const { alterationCursors, alterationPlans } = this.data;
    const plan = alterationPlans.get(planId);
    if (!plan || plan.completedAt || !(plan.status === 'Pending' || alterationCursors.has(planId))) return;
    alterationCursors.delete(planId);
    alterationPlans.set(planId, { ...plan, status: 'Failed', completedAt: new Date(now) });
  }

  async cancel(planId: string, now: Date): Promise<boolean> {
    const { alterationCursors, alterationPlans, openAlterationJobs } = this.data;
    const plan = alterationPlans.get(planId);
    if (!plan || plan.completedAt) return false;
    // As while its instances are looked for: the last job must not complete it.
    if (!alterationCursors.delete(planId)) openAlterationJobs.set(planId, (openAlterationJobs.get(planId) ?? 0) + 1);
    alterationPlans.set(planId, { ...plan, status: 'Failed', completedAt: new Date(now), isCancelled: true });
    return true;
  }

  async findJobs(planId: string, limit: number, after = '0'): Promise<AlterationJobPage> {
    const begin = Number(after);
    const all = this.jobsOf(planId);
    const end = begin + limit;
    return { jobs: isolate(all.slice(begin, end)), next: end < all.length ? String(end) : undefined };
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
    const { alterationJobs } = this.data;
    const job = alterationJobs.get(jobId);
    if (!job || !isOpen(job)) return false;
    alterationJobs.put({ ...job, status, log: isolate(log, 'log'), completedAt: new Date(now) });
    this.closeOne(job.planId, now);
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

  /** Looking for its instances counts as a job that has not ended. */
  private open(planId: string): void {
    this.data.alterationCursors.set(planId, undefined);
    this.data.openAlterationJobs.set(planId, 1);
  }

  private closeOne(planId: string, now: Date): void {
    const { alterationPlans, openAlterationJobs } = this.data;
    const open = (openAlterationJobs.get(planId) ?? 1) - 1;
    openAlterationJobs.set(planId, open);
    const plan = alterationPlans.get(planId);
    if (plan && open === 0) alterationPlans.set(planId, { ...plan, status: 'Completed', completedAt: new Date(now) });
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
