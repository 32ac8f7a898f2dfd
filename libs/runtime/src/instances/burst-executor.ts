import { Injectable, Logger } from '@nestjs/common';
import { type BurstRequest, isWaymarkError, type WorkflowExecutionContext, type WorkflowState } from '@waymark/core';
import { IWorkflowDefinitionService } from '../definitions/definition-services.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowBookmarksIndexed, WorkflowEvent, WorkflowExecuted } from '../events/workflow-events.js';
import { ActivationRefusedError, BookmarkConsumedError } from '../persistence/persistence-errors.js';
import type { RunMessage } from '../dispatch/messages.js';
import type { LoadedInstance, OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { activationRule } from './activation.js';
import { bookmarkChanges, buildCommit, type BurstExtras } from './burst-commit-builder.js';
import { finishMessages } from './finish-messages.js';
import {
  BookmarkNotFoundError,
  InstanceExistsError,
  InstanceNotFoundError,
  InstanceNotRunningError,
} from './instance-errors.js';
import type { CreateInstanceRequest, RunInstanceRequest, RunInstanceResult } from './instance-services.js';
import { KeyedMutex } from './keyed-mutex.js';
import { RuntimeGate } from './runtime-gate.js';

/** How often a burst is repeated when somebody else commits the same instance meanwhile. */
const MAX_CONFLICTS = 20;

/**
 * The one path into a burst: HTTP, timers, queue, REST, parents and tests all come through here, so that the gate, the
 * status check, the activation strategy and the fencing by revision hold everywhere (W1–W4).
 *
 * Within a process, bursts of one instance follow one another; between processes, the store lets one commit win and the
 * others begin anew from what it wrote.
 */
@Injectable()
export class BurstExecutor {
  private readonly logger = new Logger('Workflow');
  private readonly mutex = new KeyedMutex();
  /** Bursts of this process, to stop a running one when its instance is cancelled. */
  private readonly active = new Map<string, WorkflowExecutionContext>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly events: WorkflowEventEmitter,
    private readonly outbox: OutboxProcessor,
    private readonly gate: RuntimeGate,
  ) {}

  /** A new instance; with `run` also its first burst, in the same commit. */
  async create(
    instanceId: string,
    request: CreateInstanceRequest,
    run: RunInstanceRequest | undefined,
    extras: BurstExtras = {},
  ): Promise<RunInstanceResult> {
    return this.admitted(instanceId, async () => {
      const definition = await this.definitions.require(request.definition);
      const graph = await this.definitions.graph(definition.id);
      const rule = activationRule(definition, request.correlationId);
      if (rule && (await this.persistence.instances.count(rule.conflicting)) > 0)
        throw new ActivationRefusedError(rule.key);
      const burst: BurstRequest = {
        ...run,
        graph,
        instanceId,
        correlationId: request.correlationId,
        name: request.name,
        parentWorkflowInstanceId: request.parentWorkflowInstanceId,
        input: { ...request.input, ...run?.input },
        properties: { ...request.properties, ...run?.properties },
      };
      const all = { ...extras, firing: request.firing, requestKey: request.requestKey, activationKey: rule?.key };
      if (run && request.firing) return this.claimThenRun(burst, run, all);
      try {
        return run
          ? await this.runAndCommit(burst, undefined, all)
          : await this.commit(this.engine.runner.create(burst), undefined, all);
      } catch (error) {
        if (isWaymarkError(error, 'WM7001')) throw new InstanceExistsError(instanceId);
        throw error;
      }
    });
  }

  /**
   * Timers wake all nodes at once: the occurrence is claimed by committing the new instance before anything runs, so that
   * only one of them runs its activities. The message in that commit runs it if this node dies in between (W8).
   */
  private async claimThenRun(
    burst: BurstRequest,
    run: RunInstanceRequest,
    extras: BurstExtras,
  ): Promise<RunInstanceResult> {
    const { triggerActivityId } = run;
    const payload: RunMessage = { workflowInstanceId: burst.instanceId, triggerActivityId, input: burst.input };
    const wec = this.engine.runner.create(burst);
    const [message] = this.outbox.prepare([{ kind: 'run', payload }]);
    await this.commit(wec, undefined, extras, false, [message!]);
    return this.runStored(burst.instanceId, { ...run, input: burst.input }, { consumedMessageIds: [message!.id] });
  }

  /** One burst of an existing instance. */
  resume(instanceId: string, run: RunInstanceRequest, extras: BurstExtras = {}): Promise<RunInstanceResult> {
    return this.admitted(instanceId, () => this.runStored(instanceId, run, extras));
  }

  private runStored(instanceId: string, run: RunInstanceRequest, extras: BurstExtras): Promise<RunInstanceResult> {
    return this.repeatOnConflict(async (attempt) => {
      const before = await this.loadRunning(instanceId);
      const bookmark = before.state.bookmarks.find((b) => b.id === run.bookmarkId);
      if (run.bookmarkId !== undefined && !bookmark)
        throw attempt > 1
          ? new BookmarkConsumedError(run.bookmarkId, instanceId)
          : new BookmarkNotFoundError(run.bookmarkId, instanceId);
      const graph = await this.definitions.graph(before.definitionVersionId);
      return this.runAndCommit({ ...run, graph, instanceId, state: before.state, attempt }, before, extras);
    });
  }

  /** True while this process runs a burst of it. */
  isActive(instanceId: string): boolean {
    return this.active.has(instanceId);
  }

  /** False when it had ended already. */
  cancel(instanceId: string, extras: BurstExtras = {}): Promise<boolean> {
    this.active.get(instanceId)?.cancel();
    return this.mutex.run(instanceId, () =>
      this.repeatOnConflict(async () => {
        const before = await this.persistence.instances.load(instanceId);
        if (!before) throw new InstanceNotFoundError(instanceId);
        if (before.status !== 'Running') return before.subStatus === 'Cancelled' && this.active.has(instanceId);
        const graph = await this.definitions.graph(before.definitionVersionId);
        const wec = this.engine.runner.create({ graph, instanceId, state: before.state });
        wec.cancel();
        await this.commit(wec, before, extras);
        return true;
      }),
    );
  }

  /**
   * Changes an instance outside of a burst (a variable, an alteration); what the change schedules is run.
   * @param change gets the restored instance; what it throws leaves everything as it was
   */
  change(
    instanceId: string,
    change: (wec: WorkflowExecutionContext) => unknown,
    versionId?: string,
  ): Promise<RunInstanceResult> {
    return this.admitted(instanceId, () =>
      this.repeatOnConflict(async () => {
        const before = await this.persistence.instances.load(instanceId);
        if (!before) throw new InstanceNotFoundError(instanceId);
        const graph = await this.definitions.graph(versionId ?? before.definitionVersionId);
        const wec = this.engine.runner.create({ graph, instanceId, state: before.state });
        await change(wec);
        if (wec.isRunning && wec.queue.size > 0) await this.engine.runner.drain(wec);
        return this.commit(wec, before, {});
      }),
    );
  }

  private async loadRunning(instanceId: string): Promise<LoadedInstance> {
    const loaded = await this.persistence.instances.load(instanceId);
    if (!loaded) throw new InstanceNotFoundError(instanceId);
    if (loaded.status !== 'Running') throw new InstanceNotRunningError(instanceId, loaded.subStatus);
    return loaded;
  }

  private async admitted<T>(instanceId: string, task: () => Promise<T>): Promise<T> {
    this.gate.enter();
    try {
      return await this.mutex.run(instanceId, task);
    } finally {
      this.gate.leave();
    }
  }

  /** Somebody else committed first: what was computed from the old state is void, the new state decides. */
  private async repeatOnConflict<T>(task: (attempt: number) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await task(attempt);
      } catch (error) {
        if (!isWaymarkError(error, 'WM7001') || attempt >= MAX_CONFLICTS) throw error;
      }
    }
  }

  private async runAndCommit(
    request: BurstRequest,
    before: LoadedInstance | undefined,
    extras: BurstExtras,
  ): Promise<RunInstanceResult> {
    const progress = { before, extras };
    let wec: WorkflowExecutionContext | undefined;
    try {
      wec = await this.engine.runner.run({
        ...request,
        onBegin: (begun) => this.active.set(request.instanceId, begun),
        onCheckpoint: (running) => this.checkpoint(running, progress),
      });
      return await this.commit(
        wec,
        progress.before,
        progress.extras,
        before === undefined || before.subStatus === 'Pending',
      );
    } finally {
      this.active.delete(request.instanceId);
    }
  }

  /** Commits a long burst half-way, so that its journal does not grow in memory; what it consumed is consumed by this. */
  private async checkpoint(
    wec: WorkflowExecutionContext,
    progress: { before: LoadedInstance | undefined; extras: BurstExtras },
  ): Promise<void> {
    const result = await this.commit(wec, progress.before, progress.extras, progress.before === undefined);
    const revision = (progress.before?.revision ?? 0) + 1;
    progress.before = { ...(await this.requireLoaded(wec.id)), revision, state: result.state };
    progress.extras = {};
    wec.consumedBookmarkIds.length = 0;
  }

  private async requireLoaded(id: string): Promise<LoadedInstance> {
    const loaded = await this.persistence.instances.load(id);
    if (!loaded) throw new InstanceNotFoundError(id);
    return loaded;
  }

  /** Writes the burst as a whole; announces it only then. */
  private async commit(
    wec: WorkflowExecutionContext,
    before: LoadedInstance | undefined,
    extras: BurstExtras,
    isFirst = false,
    heldMessages: readonly OutboxMessage[] = [],
  ): Promise<RunInstanceResult> {
    const state = this.engine.runner.extract(wec);
    const changes = bookmarkChanges(state, before?.state);
    const journal = wec.journal?.take() ?? { log: [], records: [] };
    const messages = this.outbox.prepare([...wec.outgoing.splice(0), ...finishMessages(wec, state, before?.state)]);
    await this.persistence.commit(
      buildCommit(wec, state, before, changes, journal, [...messages, ...heldMessages], extras),
    );
    if (changes.added.length || changes.removed.length)
      await this.events.emit(
        WorkflowEvent.BookmarksIndexed,
        new WorkflowBookmarksIndexed(wec.id, changes.added, changes.removed, changes.unchanged),
      );
    await this.announce(state, new WorkflowExecuted(wec.id, state, journal), isFirst);
    this.outbox.deliverSoon(messages);
    for (const task of wec.takeDeferred()) await this.runDeferred(task);
    return toResult(wec, state);
  }

  private async announce(state: WorkflowState, executed: WorkflowExecuted, isFirst: boolean): Promise<void> {
    if (isFirst) await this.events.emit(WorkflowEvent.WorkflowStarted, executed);
    await this.events.emit(WorkflowEvent.WorkflowExecuted, executed);
    if (state.status === 'Finished') await this.events.emit(WorkflowEvent.WorkflowFinished, executed);
  }

  private async runDeferred(task: () => unknown): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.logger.error(`A task that an activity deferred failed: ${String((error as Error)?.stack ?? error)}`);
    }
  }
}

function toResult(wec: WorkflowExecutionContext, state: WorkflowState): RunInstanceResult {
  return {
    workflowInstanceId: wec.id,
    status: state.status,
    subStatus: state.subStatus,
    bookmarks: state.bookmarks,
    incidents: state.incidents,
    output: state.output,
    state,
  };
}
