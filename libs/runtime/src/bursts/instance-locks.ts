import { Injectable } from '@nestjs/common';
import type { WorkflowExecutionContext } from '@waymark/core';
import type { ResumeRequest } from './resume-request.js';

interface Waiting {
  /** Present: the holder of the turn may serve it along with its own. */
  readonly request: ResumeRequest | undefined;
  /** It is its turn. */
  proceed(): void;
  /** It gets none. */
  refuse(error: Error): void;
}

interface Turn {
  /** The burst that runs, to stop it when its instance is cancelled. */
  burst: WorkflowExecutionContext | undefined;
  /** Those whose turn comes next, first come, first served; they begin at `head`. */
  waiting: (Waiting | undefined)[];
  head: number;
}

/**
 * Within a process, bursts of one instance follow one another; different instances run side by side. Idle ones cost nothing.
 * Resumes that wait one behind the other may share a turn, and with it a burst: what stands between two of them keeps them
 * apart, so that the order is the same.
 */
@Injectable()
export class InstanceLocks {
  private readonly turns = new Map<string, Turn>();

  /**
   * Undefined: it is your turn now. Else wait: for true it is your turn, for false the request was served in another turn.
   * When it is your turn, `leave` has to follow.
   * @throws the error that `refuse` is called with meanwhile; a request gets it as its outcome
   */
  enter(instanceId: string, request?: ResumeRequest): Promise<boolean> | undefined {
    const turn = this.turns.get(instanceId);
    if (!turn) {
      this.turns.set(instanceId, { burst: undefined, waiting: [], head: 0 });
      return undefined;
    }
    return new Promise((resolve, reject) => {
      if (request) request.onSettled = () => resolve(false);
      const refuse = request ? (error: Error) => request.fail(error) : reject;
      turn.waiting.push({ request, proceed: () => resolve(true), refuse });
    });
  }

  /**
   * Called in a turn that the store has failed: those that wait for theirs would meet the same, one after the other, and the tenth wait ten
   * times as long as the store is waited for.
   */
  refuse(instanceId: string, error: Error): void {
    const turn = this.turns.get(instanceId);
    for (let next = turn && shift(turn); next; next = shift(turn!)) next.refuse(error);
  }

  /** Takes the request that comes next, to serve it in the turn of now; undefined when there is none that could be. */
  takeNext(instanceId: string): ResumeRequest | undefined {
    const turn = this.turns.get(instanceId);
    const request = turn?.waiting[turn.head]?.request;
    if (request) shift(turn);
    return request;
  }

  /** How many wait for it, that one left out whose turn it is. */
  waitingFor(instanceId: string): number {
    const turn = this.turns.get(instanceId);
    return turn ? turn.waiting.length - turn.head : 0;
  }

  leave(instanceId: string): void {
    const turn = this.turns.get(instanceId);
    const next = turn && shift(turn);
    if (next) next.proceed();
    else this.turns.delete(instanceId);
  }

  /** The burst that has begun in the turn of that instance, if any. */
  burstOf(instanceId: string): WorkflowExecutionContext | undefined {
    return this.turns.get(instanceId)?.burst;
  }

  /** Those that are running. */
  *bursts(): Generator<WorkflowExecutionContext> {
    for (const { burst } of this.turns.values()) if (burst) yield burst;
  }

  /** @param burst undefined: it has ended */
  setBurst(instanceId: string, burst: WorkflowExecutionContext | undefined): void {
    const turn = this.turns.get(instanceId);
    if (turn) turn.burst = burst;
  }
}

/** Without moving those behind it, of which there may be ten thousands. */
function shift(turn: Turn): Waiting | undefined {
  const first = turn.waiting[turn.head];
  if (!first) return undefined;
  turn.waiting[turn.head++] = undefined;
  if (turn.head === turn.waiting.length) {
    turn.waiting = [];
    turn.head = 0;
  }
  return first;
}
