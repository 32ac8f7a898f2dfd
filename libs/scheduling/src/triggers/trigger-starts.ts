import { Injectable } from '@nestjs/common';
import { type StartWorkflowRequest, type StoredTrigger, WorkflowPersistence } from '@waymark/runtime';
import { triggerKey } from '@waymark/runtime/adapter';
import { type OverlappingStart, OverlapStarts, type Refusal, type StartedByHand } from './overlap-starts.js';
import type { DueTrigger } from './trigger-occurrence.js';
import { overlapOf } from './trigger-timing.js';

type Start = Pick<StartWorkflowRequest, 'input' | 'firing' | 'requestKey'>;

/** Starts workflows for triggers, as their overlap policy allows. */
@Injectable()
export class TriggerStarts {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly starts: OverlapStarts,
  ) {}

  /**
   * For an occurrence, which the commit of the start claims.
   * @returns why it was refused; undefined: it started
   * @throws OccurrenceWaits what the policy waits for has not ended
   */
  start(trigger: DueTrigger, start: Start): Promise<Refusal | undefined> {
    return this.starts.start(startOf(trigger, start), () => this.isStillDue(trigger));
  }

  /** Without an occurrence. */
  byHand(trigger: StoredTrigger, start: Start): Promise<StartedByHand> {
    return this.starts.byHand(startOf(trigger, start));
  }

  private async isStillDue({ id, dueAt }: DueTrigger): Promise<boolean> {
    const [row] = await this.persistence.triggers.findMany({ ids: [id] });
    return row?.dueAt?.getTime() === dueAt.getTime();
  }
}

function startOf(trigger: StoredTrigger, start: Start): OverlappingStart {
  const { workflowDefinitionId, workflowDefinitionVersionId, activityId, payload } = trigger;
  return {
    policy: overlapOf(payload),
    key: triggerKey(workflowDefinitionId, activityId),
    request: {
      definition: { definitionVersionId: workflowDefinitionVersionId },
      triggerActivityId: activityId,
      ...start,
    },
  };
}
