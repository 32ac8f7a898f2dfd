import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { AlterationSelections } from '../alterations/alteration-selections.js';
import { BulkPlanWorker } from '../bulk/bulk-plan-worker.js';
import { CodeWorkflowRegistrar } from '../code-first/code-workflow-registrar.js';
import { codeWorkflowOptions } from '../code-first/workflow-decorator.js';
import { WorkflowActivities } from '../definitions/workflow-activities.js';
import { ActivityExplorer } from '../discovery/activity-explorer.js';
import { ExpressionExplorer } from '../discovery/expression-explorer.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { NodeHeartbeat } from '../maintenance/node-heartbeat.js';
import { RuntimeMaintenance } from '../maintenance/runtime-maintenance.js';
import { MemoryPersistence } from '../persistence/memory/memory-persistence.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { StoreOutages } from '../outages/store-outages.js';
import { within } from '../outages/within.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { EncryptionKeysTimeoutError } from '../secrets/encryption-keys.js';
import { FirstToEnd } from './first-to-end.module.js';
import { beginUse, endUse, forgetUsers, storeIsReady, usedForMs } from './store-users.js';
import { ShutdownTasks } from './shutdown-tasks.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** For the store to close, also where nothing waits for bursts. */
const SHORTEST_CLOSE_MS = 2_000;
/** For the claims of unfinished work to be given up before the store closes. */
const GIVE_UP_MS = 1_000;
/** For the provider of the encryption keys. */
const KEYS_MS = 30_000;

/**
 * Order of a node's life. Module init: store, activities and expressions, workflows in code. Bootstrap: routes and schedules read the
 * store, and the pulse starts. Shutdown: no new work, and running bursts end or the deadline passes, before any module is destroyed; the
 * store closes when all are.
 */
@Injectable()
export class RuntimeLifecycle implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  private ended: Promise<void> | undefined;
  private givenUp: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly explorer: ActivityExplorer,
    private readonly expressions: ExpressionExplorer,
    private readonly code: CodeWorkflowRegistrar,
    private readonly activities: WorkflowActivities,
    private readonly maintenance: RuntimeMaintenance,
    private readonly heartbeat: NodeHeartbeat,
    private readonly outbox: OutboxProcessor,
    private readonly gate: RuntimeGate,
    private readonly outages: StoreOutages,
    private readonly bulk: BulkPlanWorker,
    private readonly alterations: AlterationSelections,
    private readonly clock: WorkflowClock,
    private readonly tasks: ShutdownTasks,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
    first: FirstToEnd,
  ) {
    first.set(() => this.end());
  }

  async onModuleInit(): Promise<void> {
    if (this.persistence instanceof MemoryPersistence && !this.options.persistence)
      this.logger.warn(
        'Workflows are kept in memory and are lost with this process: pass `persistence` to WorkflowModule.forRoot().',
      );
    await this.loadKeys();
    beginUse(this.persistence, this, this.clock);
    try {
      await this.begin();
      storeIsReady(this.persistence, this);
    } catch (error) {
      // No hook is called at its end.
      endUse(this.persistence, this);
      throw error;
    }
  }

  private async begin(): Promise<void> {
    await this.persistence.initialize();
    this.explorer.registerAll((type) => codeWorkflowOptions(type) !== undefined);
    this.expressions.registerAll();
    await this.maintenance.prepare();
    await this.activities.refreshAll();
    // Before any bootstrap hook: routes and schedules read the store there, and listeners are not connected yet.
    await this.code.registerAll(this.explorer);
  }

  /** A start would wait silently for a key service that does not answer. */
  private async loadKeys(): Promise<void> {
    const loaded = this.options.encryption?.load();
    if (loaded && !(await within(this.clock, KEYS_MS, loaded))) throw new EncryptionKeysTimeoutError(KEYS_MS);
  }

  onApplicationBootstrap(): void {
    // It is up, however long that took.
    beginUse(this.persistence, this, this.clock);
    this.maintenance.start();
    this.heartbeat.start();
  }

  /** Ends all work, once. In time whatever the store does. */
  private end(): Promise<void> {
    return (this.ended ??= this.drainInTime());
  }

  private async drainInTime(): Promise<void> {
    const { drainTimeoutMs } = this.options;
    const drained = this.drain();
    if (!(await within(this.clock, drainTimeoutMs, drained))) {
      this.giveUp();
      this.logger.warn(
        `Bursts still running after ${drainTimeoutMs} ms: ${this.gate.activeBursts}. Messages and timers that started them are ` +
          'processed again by another node or at the next start; clients have to repeat their requests.',
      );
    }
  }

  /** Ends in time as well: at the latest when the time to drain has passed once more. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.end();
    endUse(this.persistence, this);
    await this.closeIfUnused();
  }

  private async closeIfUnused(): Promise<void> {
    const usedMs = usedForMs(this.persistence);
    if (usedMs === Infinity) return;
    if (usedMs > 0) {
      const close = (): unknown => this.closeIfUnused();
      this.clock.setTimer(close, usedMs, { holdsProcess: false });
      return;
    }
    forgetUsers(this.persistence);
    const { drainTimeoutMs } = this.options;
    const closeTimeoutMs = Math.max(drainTimeoutMs, SHORTEST_CLOSE_MS);
    try {
      if (!(await within(this.clock, closeTimeoutMs, this.close())))
        this.logger.warn(`The store did not close within ${closeTimeoutMs} ms.`);
    } catch (error) {
      this.logger.warn(`The store could not be closed: ${toErrorLike(error).message}`);
    }
  }

  private async close(): Promise<void> {
    await within(this.clock, GIVE_UP_MS, this.givenUp);
    await this.persistence.close();
  }

  /** The process may live on, as in tests, in a host of several applications, or while its supervisor waits: it holds nothing any more. */
  private giveUp(): void {
    this.givenUp = Promise.all([this.outbox.giveUp(), this.bulk.abandon()]);
    this.heartbeat.stop();
  }

  /** Resolves when all bursts, messages and shutdown tasks ended. Never rejects: whatever fails, the store has to close. */
  private async drain(): Promise<void> {
    const idle = this.gate.drain();
    // What waits for the store to come back does not go on waiting: it is stored, and for the next start or another node.
    this.outages.stop();
    const stops = [this.maintenance.stop(), this.bulk.stop(), this.alterations.stop(), this.tasks.run()];
    for (const stopped of await Promise.allSettled(stops))
      if (stopped.status === 'rejected')
        this.logger.warn(`A part of the shutdown failed: ${toErrorLike(stopped.reason).message}`);
    await idle;
    await this.outbox.settled();
    // What has been called off, and has not returned, asks nothing of a store that is closed.
    await this.outbox.giveUp();
    this.heartbeat.stop();
  }
}
