import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { PlanSteps } from '../bulk/plan-steps.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { sha256 } from '../engine/identity.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { isUnreadableHere } from '../outages/unreadable-here.js';
import type { Alteration, AlterationResult } from '../persistence/alteration.js';
import type { BulkFailure, BulkResult, PlanRequester } from '../persistence/bulk-plan-store.js';
import { failureOf } from '../persistence/failure-of.js';
import type { OutboxMessage } from '../persistence/records.js';
import { severalAtATime } from '../persistence/several-at-a-time.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { AlterationRunner } from './alteration-runner.js';

/** Instances that a plan retries before others have the place of its message. */
const RETRIES_OF_STEP = 100;
/** At a time: their bursts run activities, as live work does, of which a node serves sixteen. */
const RETRIES_AT_ONCE = 8;

/**
 * Kind of the message with which a plan leaves an instance to a node that has its code, or reads its format. Nodes of the version before do
 * not know it and give it back: where only they have the code, it waits for a node of this version that has it.
 */
const RETRY_INSTANCE = 'retry-instance';
interface RetryMessage {
  readonly workflowInstanceId: string;
}

/** Runs the activities again at which instances failed. */
@Injectable()
export class InstanceRetries implements OnModuleInit {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly runner: AlterationRunner,
    private readonly steps: PlanSteps,
    private readonly outbox: OutboxProcessor,
  ) {}

  /** Called by Nest. */
  onModuleInit(): void {
    this.steps.register({
      action: 'RetryInstances',
      size: RETRIES_OF_STEP,
      perform: ({ planId, ids }, signal) => this.retryAll(planId, ids, signal),
    });
    this.outbox.register({ kind: RETRY_INSTANCE, handle: (message) => this.serve(message) });
  }

  /** Retries one instance now; one that has not failed stays as it is. @throws InstanceNotFoundError (`WM3001`) */
  async retry(workflowInstanceId: string): Promise<AlterationResult> {
    return this.runner.run(workflowInstanceId, await this.repairs(workflowInstanceId));
  }

  /**
   * Retries many instances by a bulk plan. After a crash, those of one step are retried again if they have failed again.
   * @param requestedBy who asks for it. @default code of the application
   * @returns the id of the plan
   */
  submit(ids: readonly string[], requestedBy?: PlanRequester): Promise<string> {
    return this.steps.submit({ action: 'RetryInstances', ids, requestedBy });
  }

  private async retryAll(planId: string, ids: readonly string[], signal: AbortSignal): Promise<BulkResult> {
    let changed = 0;
    const failures: BulkFailure[] = [];
    const retryHere = async (id: string): Promise<void> => {
      const { isSuccessful, log } = await this.retry(id);
      // Without an entry there was nothing to retry: it waits, or has ended well meanwhile.
      if (isSuccessful) changed += log.logEntries.length > 0 ? 1 : 0;
      else failures.push({ id, message: log.logEntries.map(({ message }) => message).join(' ') });
    };
    const retry = (id: string): Promise<void> =>
      retryHere(id).catch(async (error: unknown) => {
        if (!(await this.isLeftToOthers(planId, id, error))) throw error;
        changed++;
      });
    for (const { item, error } of await severalAtATime(ids, RETRIES_AT_ONCE, retry, signal)) {
      // A paused runtime says nothing about the instance: the step is done when it runs again.
      if (isWaymarkError(error, 'WM3005')) throw error;
      failures.push(failureOf(item, error));
    }
    return { changed, failures };
  }

  /** Not the whole step: instances of several versions may have no node in common. @returns false for other errors */
  private async isLeftToOthers(planId: string, workflowInstanceId: string, error: unknown): Promise<boolean> {
    const payload: RetryMessage = { workflowInstanceId };
    const message = { kind: RETRY_INSTANCE, payload, workflowInstanceId };
    if (isWaymarkError(error, 'WM2040')) {
      // The same where a step is repeated.
      const id = `retry-${sha256(JSON.stringify([planId, workflowInstanceId])).toLowerCase()}`;
      await this.outbox.handOver(message, error as unknown as WorkflowCodeMissingError, id);
      return true;
    }
    if (!isUnreadableHere(error)) return false;
    // Twice, the second one finds nothing to retry.
    await this.outbox.send([message]);
    return true;
  }

  private async serve({ id, payload }: OutboxMessage): Promise<void> {
    const { workflowInstanceId } = payload as RetryMessage;
    try {
      const repairs = await this.repairs(workflowInstanceId);
      const order = { extras: { consumedMessageIds: [id] } };
      const { isSuccessful, log } = await this.runner.run(workflowInstanceId, repairs, order);
      if (isSuccessful && log.logEntries.length > 0) return;
      for (const { message } of log.logEntries)
        this.logger.warn(`Instance "${workflowInstanceId}" could not be retried: ${message}`);
    } catch (error) {
      // Deleted meanwhile.
      if (!isWaymarkError(error, 'WM3001')) throw error;
    }
    await this.persistence.outbox.delete(id);
  }

  private async repairs(id: string): Promise<Alteration[]> {
    const instance = await this.persistence.instances.load(id);
    const failed = [...new Set(instance?.state.incidents.map((incident) => incident.activityInstanceId))];
    const there = new Set(instance?.state.activityExecutionContexts.map(({ id: executionId }) => executionId));
    // Activities that were undone since have no execution any more; a failed undo is what can be retried.
    const left = failed.filter((executionId) => there.has(executionId));
    return (left.length > 0 ? left : failed).map((activityInstanceId) => ({
      type: 'ScheduleActivity',
      activityInstanceId,
      onlyFaulted: true,
    }));
  }
}
