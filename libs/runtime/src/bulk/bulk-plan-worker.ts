import { WorkflowLogger } from '../logging/workflow-logger.js';
import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { BatchClaim, BulkBatch, BulkPlan, BulkResult } from '../persistence/bulk-plan-store.js';
import type { Lease } from '../persistence/message-stores.js';
import { failureOf } from '../persistence/failure-of.js';
import { isOutageOfCall, isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { BulkAction, isBulkAction } from '../persistence/bulk-action.js';
import { BulkProgress, BulkWork } from './bulk-work.js';
import { PlanAudit } from './plan-audit.js';
import { PlanDeletions } from './plan-deletions.js';
import { PlanSelections } from './plan-selections.js';
import { WorkLoop } from './work-loop.js';

/** Lease of a batch: when its node dies, another one takes the batch after that time. */
const LEASE_MS = 30_000;
const BEAT_MS = 10_000;
/** Of a batch that fails again and again, the first one that is left is the one that it fails at. */
const DONE_IN_ORDER: ReadonlySet<BulkAction> = new Set([BulkAction.CancelInstances, BulkAction.DeleteInstances]);

/**
 * Carries out bulk plans on this node, one batch at a time: first those that dead nodes left, then the next one of a plan. It
 * ends when there are none, and is woken by a new plan and by the pulse of the node.
 */
@Injectable()
export class BulkPlanWorker {
  private readonly logger = new WorkflowLogger('WorkflowBulkPlans');
  private readonly loop: WorkLoop;
  private readonly abandoned = new AbortController();
  private cutsFirst = true;
  /** The answer of a claim or cut was lost: this node may hold a batch that it does not know. */
  private mayHoldAnother = false;
  /** Of the batch at hand. */
  private renewNow: (() => void) | undefined;
  /** The commit of the batch at hand has begun. */
  private isFinishing = false;
  private givenUp = Promise.resolve();
  private cancelWaking: CancelTimer | undefined;
  /** The plan of the last batch: it says who asked for it. */
  private last: BulkPlan | undefined;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly selections: PlanSelections,
    private readonly work: BulkWork,
    private readonly deletions: PlanDeletions,
    private readonly audit: PlanAudit,
    private readonly outages: StoreOutages,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    // The batch is claimed again when its lease has run out.
    const onFault = (error: unknown) =>
      this.logger.warn(`A bulk operation failed; retrying: ${toErrorLike(error).message}`);
    this.loop = new WorkLoop(outages, () => this.step(), onFault);
    outages.onRecovered(() => this.recovered());
  }

  /** Looks for work without waiting for it. */
  wake(): void {
    this.loop.wake();
  }

  /** Resolves when this node does nothing for any plan. */
  settled(): Promise<void> {
    return this.loop.settled();
  }

  /** Resolves when the batch at hand is done; the others are for other nodes, or the next start. */
  stop(): Promise<void> {
    this.cancelWaking?.();
    return this.loop.stop();
  }

  /**
   * For a shutdown that no longer waits: a batch that is not finished goes to another node when its lease ends. Resolves when its claim
   * is given up, or could not be; never rejects.
   */
  abandon(): Promise<void> {
    this.abandoned.abort();
    return this.givenUp;
  }

  /** @returns whether there may be more */
  private async step(): Promise<boolean> {
    // In turns: batches that are cut already, such as those of a long list of ids, do not hold up plans of which none is.
    this.cutsFirst = !this.cutsFirst;
    const batch = await this.next();
    if (typeof batch === 'object') await this.serve(batch);
    return batch !== undefined || this.deletions.next();
  }

  private async next(): Promise<BulkBatch | true | undefined> {
    try {
      if (this.cutsFirst && !this.mayHoldAnother)
        return (await this.selections.cutNext(this.lease)) ?? (await this.claimNext());
      return (await this.claimNext()) ?? (await this.selections.cutNext(this.lease));
    } catch (error) {
      if (isStoreOutage(error)) this.mayHoldAnother = true;
      throw error;
    }
  }

  /** The lease of the batch at hand may be about to end. Batches that look abandoned are left alone until every node has said that it lives. */
  private recovered(): void {
    this.renewNow?.();
    this.cancelWaking?.();
    this.cancelWaking = this.clock.setTimer(() => this.wake(), this.outages.settlesInMs);
  }

  private async claimNext(): Promise<BulkBatch | undefined> {
    if (this.outages.settlesInMs > 0) return undefined;
    const which: BatchClaim = { actions: Object.values(BulkAction), isLost: this.mayHoldAnother };
    const batch = await this.persistence.bulkPlans.claim(this.lease, which);
    if (!batch) this.mayHoldAnother = false;
    // A store that does not know the parameter has claimed it: its lease ends by itself.
    return batch && isBulkAction(batch.action) ? batch : undefined;
  }

  private async serve(batch: BulkBatch): Promise<void> {
    try {
      if (batch.unreadable) await this.leaveUnreadable(batch, batch.unreadable);
      else await this.serveRead(batch);
    } catch (error) {
      // It stays this node's until its lease ends, and is not to be claimed at once.
      this.mayHoldAnother = false;
      throw error;
    }
  }

  /** Its lease ends, so that it can be repaired meanwhile. When it was claimed too often, the plan continues without it. */
  private async leaveUnreadable(batch: BulkBatch, error: Error): Promise<void> {
    this.mayHoldAnother = false;
    const isGivenUp = batch.attempts >= this.options.maxDeliveryAttempts;
    const then = isGivenUp ? 'It is left out' : 'Retrying';
    this.logger.warn(`A batch of bulk plan ${batch.planId} cannot be read. ${then}: ${error.message}`);
    if (!isGivenUp) return;
    const progress = new BulkProgress([]);
    progress.failures.push(failureOf(batch.id, error));
    await this.finish(batch, progress);
  }

  private async serveRead(batch: BulkBatch): Promise<void> {
    const progress = new BulkProgress(batch.ids);
    const controller = new AbortController();
    const stopRenewing = this.keepRenewed(batch, controller);
    try {
      if (batch.attempts >= this.options.maxDeliveryAttempts) this.giveUp(progress);
      else await this.outages.through((faults) => this.perform(batch, progress, controller, faults));
      // Before it is finished: nothing would ask again.
      await this.outages.through(() => this.readPlan(batch.planId));
      const isNoted = !controller.signal.aborted && (await this.finish(batch, progress));
      // Another node does it again, or at the next start.
      if (!this.abandoned.signal.aborted) await this.record(batch, progress, isNoted);
    } finally {
      stopRenewing();
      this.isFinishing = false;
      await this.givenUp;
    }
  }

  /** Where the answer of the commit was lost, it is asked for again; twice in the audit trail is better than not at all. */
  private finish(batch: BulkBatch, { changed, failures }: BulkProgress): Promise<boolean> {
    const { bulkPlans } = this.persistence;
    const now = new Date(this.clock.now());
    const result: BulkResult = { changed, failures };
    let mayHaveFinished = false;
    this.isFinishing = true;
    return this.outages.through(async () => {
      const isRepeated = mayHaveFinished;
      mayHaveFinished = true;
      if (await bulkPlans.finish(batch, this.options.nodeName, result, now)) return true;
      if (!isRepeated) return false;
      const status = await bulkPlans.findStatus(batch.planId);
      return status !== undefined && status !== 'Cancelled';
    });
  }

  /** Each node reads once for a plan who asked for it. */
  private async readPlan(id: string): Promise<void> {
    if (this.last?.id !== id) this.last = await this.persistence.bulkPlans.find(id);
  }

  private async record(
    batch: BulkBatch,
    { changed, failures, visitedIds }: BulkProgress,
    isNoted: boolean,
  ): Promise<void> {
    const plan = this.last;
    if (plan?.id !== batch.planId) return;
    if (isNoted) await this.audit.record(plan, batch.ids, { changed, failures });
    else await this.audit.recordIfCancelled(plan, visitedIds, { changed, failures });
  }

  private async perform(
    batch: BulkBatch,
    progress: BulkProgress,
    controller: AbortController,
    faults: number,
  ): Promise<void> {
    // It may have become another node's while the store was out.
    if (faults > 0 && !(await this.persistence.bulkPlans.renew(batch, this.lease))) controller.abort();
    if (controller.signal.aborted) return;
    try {
      await this.work.perform(batch.action, progress, controller.signal);
    } catch (error) {
      const [id] = DONE_IN_ORDER.has(batch.action) ? progress.left : [];
      if (!isOutageOfCall(error) || faults + 1 < this.options.maxDeliveryAttempts || id === undefined) throw error;
      // The database has no time for it, and all others would wait for it without end.
      progress.noteFailures([{ item: id, error }]);
      await this.perform(batch, progress, controller, faults);
    }
  }

  private giveUp(progress: BulkProgress): void {
    const error = new Error('Every node that processed it died.');
    progress.noteFailures(progress.ids.map((item) => ({ item, error })));
  }

  /** Holds the batch for as long as it takes, and stops the work when it is not this node's any more. */
  private keepRenewed(batch: BulkBatch, controller: AbortController): () => void {
    let cancel: CancelTimer;
    let isOver = false;
    let renewed = Promise.resolve();
    const renew = async (): Promise<void> => {
      try {
        if (!(await this.persistence.bulkPlans.renew(batch, this.lease))) return controller.abort();
      } catch (error) {
        // The next beat tries again.
        if (!this.outages.report(error))
          this.logger.warn(`Failed to renew a batch of bulk plan ${batch.planId}: ${toErrorLike(error).message}`);
      }
    };
    const renewAndBeat = async (): Promise<void> => {
      await (renewed = renew());
      if (!isOver && !controller.signal.aborted) cancel = this.clock.setTimer(beat, BEAT_MS);
    };
    // The clock of tests waits for the promise.
    const beat = (): unknown => renewAndBeat();
    cancel = this.clock.setTimer(beat, BEAT_MS);
    this.renewNow = () => void (renewed = renew());
    const end = (): void => {
      isOver = true;
      this.renewNow = undefined;
      cancel();
    };
    const abandon = (): void => {
      end();
      controller.abort();
      // Given up behind its back, a commit that is under way would be refused, and what it did would be counted as not done.
      if (!this.isFinishing) this.givenUp = renewed.then(() => this.giveUpClaim(batch));
    };
    // One that was claimed while the shutdown gave up hears nothing of it.
    if (this.abandoned.signal.aborted) abandon();
    else this.abandoned.signal.addEventListener('abort', abandon);
    return () => {
      end();
      this.abandoned.signal.removeEventListener('abort', abandon);
    };
  }

  /** A shutdown is not a death: of a batch that takes long, a few would use up the attempts. */
  private async giveUpClaim(batch: BulkBatch): Promise<void> {
    try {
      await this.persistence.bulkPlans.giveUpClaim?.(batch, this.options.nodeName);
    } catch (error) {
      this.logger.warn(
        `A batch of bulk plan ${batch.planId} could not be given up, and counts as an attempt: ${toErrorLike(error).message}`,
      );
    }
  }

  private get lease(): Lease {
    return { owner: this.options.nodeName, leaseMs: LEASE_MS, now: this.clock.storeTime() };
  }
}
