import { Inject, Injectable, Logger } from '@nestjs/common';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { BurstExecutor } from '../instances/burst-executor.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

const BATCH = 50;

/**
 * Long bursts are committed half-way. When their process dies, the rest of their queue is in the store and nobody's: a
 * live node runs on from there (W8). Should the owner still live, the revision decides between the two (W3).
 */
@Injectable()
export class InterruptedInstances {
  private readonly logger = new Logger('WorkflowRecovery');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly executor: BurstExecutor,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Returns how many were taken over. */
  async takeOver(): Promise<number> {
    const timestamp = new Date(this.clock.now() - this.options.interruptedAfterMs);
    const { items } = await this.persistence.instances.findMany(
      {
        isExecuting: true,
        statuses: ['Running'],
        timestamps: [{ column: 'UpdatedAt', operator: 'LessThan', timestamp }],
      },
      { by: 'UpdatedAt', direction: 'Ascending' },
      { skip: 0, take: BATCH },
    );
    let taken = 0;
    for (const { id } of items) {
      if (this.executor.isActive(id)) continue;
      try {
        await this.executor.resume(id, {});
        taken++;
      } catch (error) {
        if (!isGone(error))
          this.logger.error(`Instance ${id} could not be taken over: ${String((error as Error)?.message ?? error)}`);
      }
    }
    return taken;
  }
}
