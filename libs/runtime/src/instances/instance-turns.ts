import { Injectable } from '@nestjs/common';
import type { WorkflowExecutionContext } from '@waymark/core';

interface Turn {
  /** The burst that runs, to stop it when its instance is cancelled. */
  burst: WorkflowExecutionContext | undefined;
  /** Those whose turn comes next, first come, first served. */
  waiting: (() => void)[] | undefined;
}

/** Within a process, bursts of one instance follow one another; different instances run side by side. Idle ones cost nothing. */
@Injectable()
export class InstanceTurns {
  private readonly turns = new Map<string, Turn>();

  /** Undefined: it is your turn now. Else wait. In both cases `leave` has to follow. */
  enter(instanceId: string): Promise<void> | undefined {
    const turn = this.turns.get(instanceId);
    if (turn) return new Promise((resolve) => (turn.waiting ??= []).push(resolve));
    this.turns.set(instanceId, { burst: undefined, waiting: undefined });
    return undefined;
  }

  leave(instanceId: string): void {
    const next = this.turns.get(instanceId)?.waiting?.shift();
    if (next) next();
    else this.turns.delete(instanceId);
  }

  /** The burst that has begun in the turn of that instance, if any. */
  burstOf(instanceId: string): WorkflowExecutionContext | undefined {
    return this.turns.get(instanceId)?.burst;
  }

  /** @param burst undefined: it has ended */
  setBurst(instanceId: string, burst: WorkflowExecutionContext | undefined): void {
    const turn = this.turns.get(instanceId);
    if (turn) turn.burst = burst;
  }
}
