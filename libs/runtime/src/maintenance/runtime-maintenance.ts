import { Inject, Injectable, Logger } from '@nestjs/common';
import { SystemClock } from '../clock/system-clock.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { IWorkflowDefinitionService } from '../definitions/definition-services.js';
import { WorkflowActivities } from '../definitions/workflow-activities.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowEvent } from '../events/workflow-events.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
import { InterruptedInstances } from './interrupted-instances.js';
import { Retention } from './retention.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

const DEAD_LETTER_TTL_MS = 7 * 24 * 3_600_000;
const EXPIRY_BATCH = 1000;
/** Work that is not urgent is done every so many rounds. */
const ROUNDS_BETWEEN_EXPIRY = 10;
const ROUNDS_BETWEEN_CLOCK_SYNC = 60;
const ROUNDS_BETWEEN_CLEANUP = 60;

/** Definitions changed on another node: caches and routes must follow (W6). */
export class DefinitionsChanged {
  constructor(readonly changeCounter: number) {}
}

/**
 * The steady pulse of a node: takes over left-over messages, follows other nodes' definition changes, expires stimuli,
 * keeps the clock on the database's time. A round that fails is logged and the next one tries again.
 */
@Injectable()
export class RuntimeMaintenance {
  private readonly logger = new Logger('WorkflowRuntime');
  private cancelTimer: CancelTimer | undefined;
  private stopped = true;
  private round = 0;
  private changeCounter = -1;
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly activities: WorkflowActivities,
    private readonly events: WorkflowEventEmitter,
    private readonly clock: WorkflowClock,
    private readonly retention: Retention,
    private readonly recovery: InterruptedInstances,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Synchronises the clock and notes where the definitions stand; call before anything is scheduled. */
  async prepare(): Promise<void> {
    await this.synchronizeClock();
    this.changeCounter = await this.persistence.definitions.changeCounter();
  }

  start(): void {
    this.stopped = false;
    this.arm();
  }

  /** Resolves when the round that is under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelTimer?.();
    await this.current;
  }

  /** One round, now. */
  async runOnce(): Promise<void> {
    this.round++;
    await this.outbox.poll();
    await this.followDefinitions();
    if (this.round % ROUNDS_BETWEEN_EXPIRY === 0) await this.expire();
    if (this.round % ROUNDS_BETWEEN_CLEANUP === 0) await this.retention.sweep();
    if (this.round % ROUNDS_BETWEEN_CLEANUP === 0) await this.recovery.takeOver();
    if (this.round % ROUNDS_BETWEEN_CLOCK_SYNC === 0) await this.synchronizeClock();
  }

  private arm(): void {
    if (this.stopped) return;
    this.cancelTimer = this.clock.setTimer(() => {
      this.current = this.runOnce()
        .catch((error: unknown) =>
          this.logger.warn(
            `A maintenance round failed, the next one tries again: ${String((error as Error)?.message ?? error)}`,
          ),
        )
        .finally(() => this.arm());
    }, this.options.pollIntervalMs);
  }

  private async followDefinitions(): Promise<void> {
    const counter = await this.persistence.definitions.changeCounter();
    if (counter === this.changeCounter) return;
    this.changeCounter = counter;
    this.definitions.evict();
    await this.activities.refreshAll();
    await this.events.emit(WorkflowEvent.DefinitionsChanged, new DefinitionsChanged(counter));
  }

  private async expire(): Promise<void> {
    const now = this.clock.now();
    await this.persistence.queue.expire(new Date(now), new Date(now - DEAD_LETTER_TTL_MS), EXPIRY_BATCH);
  }

  private async synchronizeClock(): Promise<void> {
    if (this.clock instanceof SystemClock) await this.clock.follow(() => this.persistence.now());
  }
}
