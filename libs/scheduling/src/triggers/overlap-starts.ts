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

/** A start by a trigger or schedule, and what it may overlap with. */
export interface OverlappingStart {
  readonly policy: OverlapPolicy;
  /** Held by the instance that it starts, while that runs. */
  readonly key: string;
  readonly request: StartWorkflowRequest;
}

/** Starts instances that follow one another, as their overlap policy allows. */
@Injectable()
export class OverlapStarts {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly starter: IWorkflowStarter,
    private readonly cancellation: IWorkflowCancellationService,
  ) {}

  /**
   * For an occurrence, which the commit of the start claims.
   * @param isStillDue whether the row, read anew, is due for this occurrence
   * @returns true: it started; false: it was refused
   * @throws OccurrenceWaits what the policy waits for has not ended
   */
  async start(start: OverlappingStart, isStillDue: () => Promise<boolean>): Promise<boolean> {
    const { policy } = start;
    const running = await this.runningOf(start);
    if (running !== undefined && policy === OverlapPolicy.Queue) throw new OccurrenceWaits();
    if (running !== undefined && policy === OverlapPolicy.CancelPrevious) {
      // The claim sets the holder along with the due time. While the row is due for this occurrence, what was found
      // before is of an earlier one: never what another node has just started.
      if (!(await isStillDue())) return true;
      await this.cancellation.cancel(running);
    }
    const { cannotStart } = await this.startUnder(start);
    const canWait = policy === OverlapPolicy.Queue || policy === OverlapPolicy.CancelPrevious;
    // Another one has begun meanwhile: one that was fired by hand.
    if (cannotStart && canWait) throw new OccurrenceWaits();
    return !cannotStart;
  }

  /** Without an occurrence. @returns undefined: it was refused, also by `queue`, as a person does not stand in line */
  async byHand(start: OverlappingStart): Promise<RunInstanceResult | undefined> {
    // Before anything is cancelled: a request key that was used says so here.
    const first = await this.startUnder(start);
    if (!first.cannotStart || start.policy !== OverlapPolicy.CancelPrevious) return first.result;
    const running = await this.runningOf(start);
    if (running !== undefined) await this.cancellation.cancel(running);
    return (await this.startUnder(start)).result;
  }

  /** The instance that it has started and that still runs, where the policy asks for one. */
  private async runningOf({ policy, key }: OverlappingStart): Promise<string | undefined> {
    if (policy === OverlapPolicy.Allow || policy === OverlapPolicy.Skip) return undefined;
    return this.persistence.instances.findKeyHolder(key);
  }

  private startUnder({ policy, key, request }: OverlappingStart): Promise<StartWorkflowResponse> {
    return this.starter.start(policy === OverlapPolicy.Allow ? request : { ...request, activationKey: key });
  }
}
