import { Injectable, Logger } from '@nestjs/common';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Three beats fit into the shortest time after which a burst may be taken over. */
export const HEARTBEAT_MS = 10_000;
export const SHORTEST_TAKEOVER_MS = 3 * HEARTBEAT_MS;

/**
 * Says of bursts which are committed half-way that their node lives: what stands still in the store is nobody's and is taken
 * over (W8). Bursts that are committed once are nowhere to be seen before, and need none.
 */
@Injectable()
export class BurstHeartbeat {
  private readonly logger = new Logger('WorkflowRecovery');
  private readonly instanceIds = new Set<string>();
  private cancelTimer: CancelTimer | undefined;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
  ) {}

  add(instanceId: string): void {
    this.instanceIds.add(instanceId);
    this.cancelTimer ??= this.clock.setTimer(this.onTimer, HEARTBEAT_MS);
  }

  delete(instanceId: string): void {
    if (!this.instanceIds.delete(instanceId) || this.instanceIds.size > 0) return;
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }

  /** Returns the work: a clock that is moved by a test waits for it. */
  private readonly onTimer = (): unknown => {
    this.cancelTimer = undefined;
    return this.persistence.instances
      .touch([...this.instanceIds], this.clock.storeTime())
      .catch((error: unknown) =>
        this.logger.warn(`A heartbeat failed, the next one follows: ${String((error as Error)?.message ?? error)}`),
      )
      .finally(() => {
        if (this.instanceIds.size > 0) this.cancelTimer ??= this.clock.setTimer(this.onTimer, HEARTBEAT_MS);
      });
  };
}
