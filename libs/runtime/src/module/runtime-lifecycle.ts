import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { CodeWorkflowRegistrar } from '../code-first/code-workflow-registrar.js';
import { WorkflowActivities } from '../definitions/workflow-activities.js';
import { ActivityExplorer } from '../discovery/activity-explorer.js';
import { RuntimeGate } from '../instances/runtime-gate.js';
import { RuntimeMaintenance } from '../maintenance/runtime-maintenance.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from './runtime-options.js';

/**
 * Order of a node's life. Module init: store, activities, workflows in code. Bootstrap: routes and schedules read the
 * store, and the pulse starts. Shutdown: no new work, running bursts end or the deadline passes, then the store closes.
 */
@Injectable()
export class RuntimeLifecycle implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('WorkflowRuntime');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly explorer: ActivityExplorer,
    private readonly code: CodeWorkflowRegistrar,
    private readonly activities: WorkflowActivities,
    private readonly maintenance: RuntimeMaintenance,
    private readonly outbox: OutboxProcessor,
    private readonly gate: RuntimeGate,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  async onModuleInit(): Promise<void> {
    if (this.persistence instanceof MemoryPersistence && !this.options.persistence)
      this.logger.warn(
        'Workflows are kept in memory and are lost with this process: pass `persistence` to WorkflowModule.forRoot().',
      );
    await this.persistence.initialize();
    this.explorer.registerAll();
    await this.maintenance.prepare();
    await this.activities.refreshAll();
    // Before any bootstrap hook: routes and schedules read the store there, and listeners are not connected yet.
    await this.code.registerAll(this.explorer);
  }

  onApplicationBootstrap(): void {
    this.maintenance.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.maintenance.stop();
    if (!(await this.drained()))
      this.logger.warn(
        `${this.gate.activeBursts} bursts are still running after ${this.options.drainTimeoutMs} ms. What they did not commit is repeated by another node or at the next start.`,
      );
    await this.persistence.close();
  }

  /** True when all bursts and messages ended before the deadline. */
  private async drained(): Promise<boolean> {
    let cancel = (): void => undefined;
    const deadline = new Promise<boolean>((resolve) => {
      cancel = this.clock.setTimer(() => resolve(false), this.options.drainTimeoutMs);
    });
    const idle = this.gate.drain().then(() => this.outbox.settled());
    try {
      return await Promise.race([idle.then(() => true), deadline]);
    } finally {
      cancel();
    }
  }
}
