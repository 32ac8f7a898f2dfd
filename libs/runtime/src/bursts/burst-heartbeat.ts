import { Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { SHORTEST_TAKEOVER_MS } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

export const HEARTBEAT_MS = SHORTEST_TAKEOVER_MS / 3;

/**
 * Renews the sign of life of bursts that have been committed in the middle: one without a recent sign is taken over by another node
 * (W8). Bursts with a single commit are not in the store before their end, and need none.
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
    // At once: after the outage the signs are old, and other nodes would take the bursts over.
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

  /** Returns the promise of the work, for which the clock of tests waits before it moves on. */
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
        this.logger.warn(`The heartbeat of a burst failed; retrying with the next one: ${toErrorLike(error).message}`);
    }
  }
}
