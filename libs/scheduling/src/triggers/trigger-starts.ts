import { Injectable } from '@nestjs/common';
import {
  IWorkflowCancellationService,
  IWorkflowStarter,
  type RunInstanceResult,
  type StartWorkflowRequest,
  type StartWorkflowResponse,
  WorkflowPersistence,
  type StoredTrigger,
} from '@waymark/runtime';
import { triggerKey } from '@waymark/runtime/adapter';
import { OccurrenceWaits } from '../due-work/due-work.js';
import { OverlapPolicy } from './overlap-policy.js';
import type { DueTrigger } from './trigger-occurrence.js';
import { overlapOf } from './trigger-timing.js';

type Start = Pick<StartWorkflowRequest, 'input' | 'firing' | 'requestKey'>;

/** Starts workflows for triggers, as their overlap policy allows. */
@Injectable()
export class TriggerStarts {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly starter: IWorkflowStarter,
    private readonly cancellation: IWorkflowCancellationService,
  ) {}

  /**
   * For an occurrence, which the commit of the start claims.
   * @returns true: it started; false: it was refused
   * @throws OccurrenceWaits what the policy waits for has not ended
   */
  async start(trigger: DueTrigger, start: Start): Promise<boolean> {
    const policy = overlapOf(trigger.payload);
    const running = await this.runningOf(trigger, policy);
    if (running !== undefined && policy === OverlapPolicy.Queue) throw new OccurrenceWaits();
    if (running !== undefined && policy === OverlapPolicy.CancelPrevious) {
      // The claim sets the holder along with the due time. While the trigger is due for this occurrence, what was found
      // before is of an earlier one: never what another node has just started.
      if (!(await this.isStillDue(trigger))) return true;
      await this.cancellation.cancel(running);
    }
    const { cannotStart } = await this.startUnder(trigger, policy, start);
    const canWait = policy === OverlapPolicy.Queue || policy === OverlapPolicy.CancelPrevious;
    // Another one has begun meanwhile: one that was fired by hand.
    if (cannotStart && canWait) throw new OccurrenceWaits();
    return !cannotStart;
  }

  /** Without an occurrence. @returns undefined: it was refused, also by `queue`, as a person does not stand in line */
  async byHand(trigger: StoredTrigger, start: Start): Promise<RunInstanceResult | undefined> {
    const policy = overlapOf(trigger.payload);
    // Before anything is cancelled: a request key that was used says so here.
    const first = await this.startUnder(trigger, policy, start);
    if (!first.cannotStart || policy !== OverlapPolicy.CancelPrevious) return first.result;
    const running = await this.runningOf(trigger, policy);
    if (running !== undefined) await this.cancellation.cancel(running);
    return (await this.startUnder(trigger, policy, start)).result;
  }

  /** The instance that it has started and that still runs, where the policy asks for one. */
  private async runningOf(trigger: StoredTrigger, policy: OverlapPolicy): Promise<string | undefined> {
    if (policy === OverlapPolicy.Allow || policy === OverlapPolicy.Skip) return undefined;
    return this.persistence.instances.findKeyHolder(keyOf(trigger));
  }

  private async isStillDue({ id, dueAt }: DueTrigger): Promise<boolean> {
    const [row] = await this.persistence.triggers.findMany({ ids: [id] });
    return row?.dueAt?.getTime() === dueAt.getTime();
  }

  private startUnder(trigger: StoredTrigger, policy: OverlapPolicy, start: Start): Promise<StartWorkflowResponse> {
    return this.starter.start({
      definition: { definitionVersionId: trigger.workflowDefinitionVersionId },
      triggerActivityId: trigger.activityId,
      ...(policy !== OverlapPolicy.Allow && { activationKey: keyOf(trigger) }),
      ...start,
    });
  }
}

const keyOf = ({ workflowDefinitionId, activityId }: StoredTrigger): string =>
  triggerKey(workflowDefinitionId, activityId);
