import { Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { SHORTEST_TAKEOVER_MS } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

export const HEARTBEAT_MS = SHORTEST_TAKEOVER_MS / 3;

/**
 * Says of bursts which are committed half-way that their node lives: what stands still in the store has no owner and is taken
 * over (W8). Bursts that are committed once are nowhere to be seen before, and need none.
 */
@Injectable()
export class BurstHeartbeat {
  private readonly logger = new WorkflowLogger('WorkflowRecovery');
  private readonly instanceIds = new Set<string>();
  private cancelTimer: CancelTimer | undefined;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
  ) {
    // Before another node takes what stood still during the outage for dead.
    outages.onRecovered(() => {
      if (this.instanceIds.size > 0) void this.beat();
    });
  }

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
    return this.beat().finally(() => {
      if (this.instanceIds.size > 0) this.cancelTimer ??= this.clock.setTimer(this.onTimer, HEARTBEAT_MS);
    });
  };

  private async beat(): Promise<void> {
    if (this.outages.isOut) return;
    try {
      await this.persistence.instances.touch([...this.instanceIds], this.clock.storeTime());
    } catch (error) {
      if (!this.outages.report(error))
        this.logger.warn(`A heartbeat failed, the next one follows: ${toErrorLike(error).message}`);
    }
  }
}
