import { Inject, Injectable, Logger } from '@nestjs/common';
import { toErrorLike } from '@waymark/core';
import { BookmarkPatterns } from '../bookmarks/bookmark-patterns.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { IWorkflowDefinitionService } from '../definitions/definition-services.js';
import { WorkflowActivities } from '../definitions/workflow-activities.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowEvent } from '../events/workflow-events.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../module/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Definitions changed on another node: caches and routes must follow (W6). */
export class DefinitionsChanged {
  constructor(readonly changeCounter: number) {}
}

/** Looks this often within the poll interval: a change must have arrived, and been read, before the interval is over. */
const LOOKS_PER_INTERVAL = 2;

/**
 * Follows what other nodes change: definitions with their triggers, and the patterns of waiting instances (W6). Two small
 * reads per look; nothing is read again unless something changed.
 */
@Injectable()
export class StoreFollower {
  private readonly logger = new Logger('WorkflowRuntime');
  private cancelTimer: CancelTimer | undefined;
  private stopped = true;
  private definitionCounter = -1;
  private current: Promise<void> = Promise.resolve();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly activities: WorkflowActivities,
    private readonly patterns: BookmarkPatterns,
    private readonly events: WorkflowEventEmitter,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /** Notes where the store stands; call before anything is read from it. */
  async prepare(): Promise<void> {
    this.definitionCounter = await this.persistence.definitions.changeCounter();
    await this.patterns.prepare();
  }

  start(): void {
    this.stopped = false;
    this.arm();
  }

  /** Resolves when the look that is under way has ended. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.cancelTimer?.();
    await this.current.catch(() => undefined);
  }

  /** One look, now; after the one that is under way. */
  follow(): Promise<void> {
    const look = this.current.catch(() => undefined).then(() => this.look());
    this.current = look;
    return look;
  }

  private arm(): void {
    if (this.stopped) return;
    const look = (): Promise<void> =>
      this.follow()
        .catch((error: unknown) => {
          if (!this.outages.report(error))
            this.logger.warn(
              `Changes of other nodes could not be read, the next look tries again: ${toErrorLike(error).message}`,
            );
        })
        .finally(() => this.arm());
    // oxlint-disable-next-line typescript/no-misused-promises -- a clock of tests waits for it, others need not
    this.cancelTimer = this.clock.setTimer(look, this.options.pollIntervalMs / LOOKS_PER_INTERVAL, { isPoll: true });
  }

  private async look(): Promise<void> {
    await this.followDefinitions();
    await this.patterns.follow();
  }

  private async followDefinitions(): Promise<void> {
    const counter = await this.persistence.definitions.changeCounter();
    if (counter === this.definitionCounter) return;
    this.definitionCounter = counter;
    this.definitions.evict();
    await this.activities.refreshAll();
    await this.events.emit(WorkflowEvent.DefinitionsChanged, new DefinitionsChanged(counter));
  }
}
