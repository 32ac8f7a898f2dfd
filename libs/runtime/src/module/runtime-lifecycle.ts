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
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowEvent, WorkflowTriggersIndexed } from '../events/workflow-events.js';
import { RuntimeGate } from '../instances/runtime-gate.js';
import { RuntimeMaintenance } from '../maintenance/runtime-maintenance.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import type { StoredTrigger } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from './runtime-options.js';

/**
 * Order of a node's life. Module init: store, activities, workflows in code. Bootstrap: triggers announced to routes and
 * schedules, then the pulse starts. Shutdown: no new work, running bursts end or the deadline passes, then the store closes.
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
    private readonly events: WorkflowEventEmitter,
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
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.code.registerAll(this.explorer);
    await this.activities.refreshAll();
    const byDefinition = new Map<string, StoredTrigger[]>();
    for (const trigger of await this.persistence.triggers.findMany({})) {
      const rows = byDefinition.get(trigger.workflowDefinitionId);
      if (rows) rows.push(trigger);
      else byDefinition.set(trigger.workflowDefinitionId, [trigger]);
    }
    for (const [definitionId, added] of byDefinition)
      await this.events.emit(
        WorkflowEvent.TriggersIndexed,
        new WorkflowTriggersIndexed({ definitionId, added, removed: [], unchanged: [] }),
      );
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
