import { Injectable } from '@nestjs/common';
import { WaymarkError, type WorkflowExecutionContext } from '@waymark/core';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import type { OutboxMessage } from '../persistence/records.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { faultInstance, withdraw } from '../bursts/fault-instance.js';
import type { RunMessage, StartMessage } from '../bursts/messages.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** The bursts of an instance crashed their process several times. It is stored as an incident, and not thrown. */
export class InstancePoisonedError extends WaymarkError {
  readonly code = 'WM3008';
  constructor(
    /** Id of the workflow instance. */
    readonly workflowInstanceId: string,
    /** How often it was begun. */
    readonly attempts: number,
    reason: string,
  ) {
    super(
      `Workflow instance "${workflowInstanceId}" was recovered ${attempts === 1 ? 'once' : `${attempts} times`}; no burst completed: ${reason} ` +
        'Find out why its process dies, then retry the instance.',
    );
  }
}

/** What is known of the burst that is given up. */
export interface ParkedBurst {
  /** Only the message that is given up has it: a retry repeats it. */
  readonly start?: Pick<RunMessage, 'triggerActivityId' | 'input'>;
  /** Where the instance was resumed: the incident is that of the activity that waits there. Nothing is done when none does any more. */
  readonly bookmarkId?: string;
}

/** Sets an instance aside that would take one node down after the other: faulted, with an incident, ready to be retried. */
@Injectable()
export class InstanceParking {
  private readonly logger = new WorkflowLogger('WorkflowRecovery');

  constructor(private readonly executor: BurstExecutor) {}

  async park(
    instanceId: string,
    attempts: number,
    reason: string,
    { start, bookmarkId }: ParkedBurst = {},
  ): Promise<void> {
    const error = new InstancePoisonedError(instanceId, attempts, reason);
    let isParked = false;
    try {
      const fault = (wec: WorkflowExecutionContext) => {
        const bookmark = bookmarkId === undefined ? undefined : wec.bookmarks.get(bookmarkId);
        isParked = wec.isRunning && (bookmarkId === undefined || bookmark !== undefined);
        if (!isParked) return;
        if (start && wec.subStatus === 'Pending') {
          wec.input = { ...start.input, ...wec.input };
          wec.keepsInput = true;
          wec.triggerActivityId = start.triggerActivityId;
        }
        if (bookmark) withdraw(wec, bookmark, error);
        faultInstance(wec, error, bookmark?.activityInstanceId);
      };
      await this.executor.change(instanceId, fault, undefined, { atAnySize: true });
      if (isParked) this.logger.error(error.message);
    } catch (failure) {
      if (!isGone(failure)) throw failure;
    }
  }

  /**
   * The same for a start that never came to a commit: an instance is made of it, or it would never be seen.
   * @throws WaymarkError when none can be made, because its definition is gone, for instance
   */
  async parkStart(request: StartMessage, { id, attempts }: OutboxMessage, reason: string) {
    const { workflowInstanceId, triggerActivityId } = request;
    const error = new InstancePoisonedError(workflowInstanceId, attempts, reason);
    const extras = { consumedMessageIds: [id], atAnySize: true };
    const fault = (wec: WorkflowExecutionContext) => faultInstance(wec, error);
    await this.executor.createChanged(workflowInstanceId, request, fault, extras, { triggerActivityId });
    this.logger.error(error.message);
  }
}
