import { Inject, Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { BookmarkPatterns } from '../patterns/bookmark-patterns.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { WorkflowActivities } from '../definitions/workflow-activities.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { DefinitionsChanged, WorkflowEvent } from '../events/workflow-events.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { DefinitionPosition } from '../persistence/definition-store.js';
import { inChunks } from '../persistence/in-chunks.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { RestoreWatch } from './restore-watch.js';

/** Looks this often within the poll interval: a change must have arrived, and been read, before the interval is over. */
const LOOKS_PER_INTERVAL = 2;
/** Definitions that are followed at once: the event loop gets its turn in between. */
const CHUNK = 100;

/**
 * Follows what other nodes change: definitions with their triggers, and the patterns of waiting instances (W6). Two small
 * reads per look; nothing is read again but what changed. Nodes of an older version do not say what they changed: then
 * everything is read again.
 */
@Injectable()
export class StoreFollower {
  private readonly logger = new WorkflowLogger('WorkflowRuntime');
  private cancelTimer: CancelTimer | undefined;
  private stopped = true;
  private position: DefinitionPosition | undefined;
  private readonly restores: RestoreWatch;
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
  ) {
    this.restores = new RestoreWatch(clock);
  }

  /** Notes where the store stands; call before anything is read from it. */
  async prepare(): Promise<void> {
    this.position = (await this.persistence.definitions.findChanges(undefined)).position;
    this.restores.see(this.position.counter);
    await this.patterns.prepare();
  }

  /** Begins to look for changes. */
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
              `Failed to read changes of other nodes; retrying with the next poll: ${toErrorLike(error).message}`,
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
    const { position, definitionIds } = await this.persistence.definitions.findChanges(this.position);
    const { counter, unnamed } = position;
    const seen = this.restores.see(counter);
    if (seen === 'doubtful') return;
    if (seen === 'reread') return this.followRestored(position);
    if (counter === this.position?.counter && unnamed === this.position.unnamed) return;
    if (definitionIds) await inChunks(definitionIds, CHUNK, (chunk) => this.followChanged(counter, chunk));
    else await this.followAll(counter);
    // Not before: a look that fails half-way is repeated by the next one.
    this.position = position;
  }

  private async followChanged(counter: number, definitionIds: readonly string[]): Promise<void> {
    await this.activities.refresh(definitionIds);
    // Not all versions that were ever published: what comes into the cache meanwhile is evicted.
    const ids = this.definitions.cachedVersions(definitionIds);
    const isNone = ids?.length === 0;
    const stored = isNone ? [] : await this.persistence.definitions.findVersions(ids ? { ids } : { definitionIds });
    this.definitions.evict(definitionIds, stored);
    await this.events.emit(WorkflowEvent.DefinitionsChanged, new DefinitionsChanged(counter, definitionIds));
  }

  /** What this node has announced may be gone as well, and nodes that start anew would not know it. */
  private async followRestored(position: DefinitionPosition): Promise<void> {
    await this.followAll(position.counter);
    await this.patterns.followAll();
    this.position = position;
    this.restores.hasReread();
  }

  private async followAll(counter: number): Promise<void> {
    await this.activities.refreshAll();
    this.definitions.evict();
    await this.events.emit(WorkflowEvent.DefinitionsChanged, new DefinitionsChanged(counter));
  }
}
