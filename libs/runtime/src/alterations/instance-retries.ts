import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { PlanSteps } from '../bulk/plan-steps.js';
import type { Alteration, AlterationResult } from '../persistence/alteration.js';
import type { BulkFailure, BulkResult, PlanRequester } from '../persistence/bulk-plan-store.js';
import { failureOf } from '../persistence/failure-of.js';
import { severalAtATime } from '../persistence/several-at-a-time.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { AlterationRunner } from './alteration-runner.js';

/** Instances that a plan retries before others have the place of its message. */
const RETRIES_OF_STEP = 100;
/** At a time: their bursts run activities, as live work does, of which a node serves sixteen. */
const RETRIES_AT_ONCE = 8;

/** Runs the activities again at which instances failed. */
@Injectable()
export class InstanceRetries implements OnModuleInit {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly runner: AlterationRunner,
    private readonly steps: PlanSteps,
  ) {}

  /** Called by Nest. */
  onModuleInit(): void {
    this.steps.register({
      action: 'RetryInstances',
      size: RETRIES_OF_STEP,
      perform: ({ ids }, signal) => this.retryAll(ids, signal),
    });
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

  private async retryAll(ids: readonly string[], signal: AbortSignal): Promise<BulkResult> {
    let changed = 0;
    const failures: BulkFailure[] = [];
    const retry = async (id: string): Promise<void> => {
      const { isSuccessful, log } = await this.retry(id);
      // Without an entry there was nothing to retry: it waits, or has ended well meanwhile.
      if (isSuccessful) changed += log.logEntries.length > 0 ? 1 : 0;
      else failures.push({ id, message: log.logEntries.map(({ message }) => message).join(' ') });
    };
    for (const { item, error } of await severalAtATime(ids, RETRIES_AT_ONCE, retry, signal)) {
      // A paused runtime says nothing about the instance: the step is done when it runs again.
      if (isWaymarkError(error, 'WM3005')) throw error;
      failures.push(failureOf(item, error));
    }
    return { changed, failures };
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
