import { Injectable } from '@nestjs/common';
import {
  IWorkflowCancellationService,
  IWorkflowStarter,
  type RunInstanceResult,
  type StartWorkflowRequest,
  type StartWorkflowResponse,
  WorkflowPersistence,
} from '@waymark/runtime';
import { OccurrenceWaits } from '../due-work/due-work.js';
import { OverlapPolicy } from './overlap-policy.js';

/** A start by a trigger or schedule that has an overlap policy. */
export interface OverlappingStart {
  readonly policy: OverlapPolicy;
  /** Activation key, held by the started instance while it runs. */
  readonly key: string;
  readonly request: StartWorkflowRequest;
}

/** Starts instances as their overlap policy allows. */
@Injectable()
export class OverlapStarts {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly starter: IWorkflowStarter,
    private readonly cancellation: IWorkflowCancellationService,
  ) {}

  /**
   * Starts an instance for an occurrence, which the commit of the start claims.
   * @param isStillDue reads the row again, and tells whether this occurrence is still due
   * @returns true: an instance was started, here or by another node; false: the policy refused it
   * @throws OccurrenceWaits when the policy waits for an instance that is still running
   */
  async start(start: OverlappingStart, isStillDue: () => Promise<boolean>): Promise<boolean> {
    const { policy } = start;
    const running = await this.runningOf(start);
    if (running !== undefined && policy === OverlapPolicy.Queue) throw new OccurrenceWaits();
    if (running !== undefined && policy === OverlapPolicy.CancelPrevious) {
      // One commit sets the due time and the holder of the key. So while this occurrence is due, the instance found above is
      // that of an earlier one, and not one that another node has just started for this one.
      if (!(await isStillDue())) return true;
      await this.cancellation.cancel(running);
    }
    const { cannotStart } = await this.startUnder(start);
    const canWait = policy === OverlapPolicy.Queue || policy === OverlapPolicy.CancelPrevious;
    // An instance that was started by hand has taken the key in the meantime.
    if (cannotStart && canWait) throw new OccurrenceWaits();
    return !cannotStart;
  }

  /** Starts by hand, without an occurrence. @returns undefined: the policy refused it; `queue` does so too, for it cannot wait here */
  async byHand(start: OverlappingStart): Promise<RunInstanceResult | undefined> {
    // Before anything is cancelled: a request key that was used before throws here.
    const first = await this.startUnder(start);
    if (!first.cannotStart || start.policy !== OverlapPolicy.CancelPrevious) return first.result;
    const running = await this.runningOf(start);
    if (running !== undefined) await this.cancellation.cancel(running);
    return (await this.startUnder(start)).result;
  }

  /** Id of the running instance that holds the key, where the policy depends on it. */
  private async runningOf({ policy, key }: OverlappingStart): Promise<string | undefined> {
    if (policy === OverlapPolicy.Allow || policy === OverlapPolicy.Skip) return undefined;
    return this.persistence.instances.findKeyHolder(key);
  }

  private startUnder({ policy, key, request }: OverlappingStart): Promise<StartWorkflowResponse> {
    return this.starter.start(policy === OverlapPolicy.Allow ? request : { ...request, activationKey: key });
  }
}
