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

/**
 * What is in the way of a start: an instance of the same trigger or schedule, or what the activation strategy of the workflow
 * forbids. A workflow that gets a strategy when a schedule with an overlap policy exists is started under its strategy alone.
 */
export type Refusal = 'overlap' | 'strategy';

/** One of both. */
export interface StartedByHand {
  readonly result?: RunInstanceResult | undefined;
  readonly refusal?: Refusal | undefined;
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
   * @returns why it was refused; undefined: an instance was started, here or by another node
   * @throws OccurrenceWaits when the policy waits for an instance that is still running
   */
  async start(start: OverlappingStart, isStillDue: () => Promise<boolean>): Promise<Refusal | undefined> {
    const { policy } = start;
    if (policy === OverlapPolicy.CancelPrevious) return this.replace(start, isStillDue);
    const running = await this.runningOf(start);
    if (running !== undefined && policy === OverlapPolicy.Queue) throw new OccurrenceWaits();
    // The commit would be refused, and the others of its group be stored by a second one.
    if (running !== undefined && policy === OverlapPolicy.Skip) return 'overlap';
    const refusal = refusalOf(start, await this.startUnder(start));
    // In line, it waits for whatever is in its way.
    if (refusal && policy === OverlapPolicy.Queue) throw new OccurrenceWaits();
    return refusal;
  }

  /**
   * Starts in place of the instance that holds the key. That one is cancelled only when nothing but the key is in the way: a start that the
   * strategy refuses, or whose code this node lacks, would leave none running.
   */
  private async replace(start: OverlappingStart, isStillDue: () => Promise<boolean>): Promise<Refusal | undefined> {
    const first = refusalOf(start, await this.startUnder(start));
    if (first !== 'overlap') return first;
    const running = await this.runningOf(start);
    if (running !== undefined) {
      // One commit sets the due time and the holder of the key. So while this occurrence is due, the instance found above is
      // that of an earlier one, and not one that another node has just started for this one.
      if (!(await isStillDue())) return undefined;
      await this.cancellation.cancel(running);
    }
    const refusal = refusalOf(start, await this.startUnder(start));
    // An instance that was started by hand has taken the key in the meantime.
    if (refusal === 'overlap') throw new OccurrenceWaits();
    return refusal;
  }

  /** Starts by hand, without an occurrence. With `queue` it may be refused as well, for it cannot wait here. */
  async byHand(start: OverlappingStart): Promise<StartedByHand> {
    // Before anything is cancelled: a request key that was used before throws here.
    const first = answerOf(start, await this.startUnder(start));
    if (first.refusal !== 'overlap' || start.policy !== OverlapPolicy.CancelPrevious) return first;
    const running = await this.runningOf(start);
    if (running !== undefined) await this.cancellation.cancel(running);
    return answerOf(start, await this.startUnder(start));
  }

  /** Id of the running instance that holds the key, where the policy depends on it. */
  private async runningOf({ policy, key }: OverlappingStart): Promise<string | undefined> {
    if (policy === OverlapPolicy.Allow) return undefined;
    return this.persistence.instances.findKeyHolder(key);
  }

  private startUnder({ policy, key, request }: OverlappingStart): Promise<StartWorkflowResponse> {
    return this.starter.start(policy === OverlapPolicy.Allow ? request : { ...request, activationKey: key });
  }
}

function refusalOf({ policy, key }: OverlappingStart, response: StartWorkflowResponse): Refusal | undefined {
  if (!response.cannotStart) return undefined;
  const { refusedKey = key } = response;
  return policy !== OverlapPolicy.Allow && refusedKey === key ? 'overlap' : 'strategy';
}

function answerOf(start: OverlappingStart, response: StartWorkflowResponse): StartedByHand {
  return { result: response.result, refusal: refusalOf(start, response) };
}
