import { Injectable } from '@nestjs/common';
import { isWaymarkError, type WorkflowExecutionContext, type WorkflowGraph } from '@waymark/core';
import { CommitStrategies } from '../commit-strategies/commit-strategies.js';
import type { WorkflowDefinitionHandle } from '../definitions/definition-handle.js';
import { IWorkflowDefinitionService } from '../definitions/definition-services.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { Retention } from '../maintenance/retention.js';
import {
  ActivationRefusedError,
  BookmarkConsumedError,
  RequestKeyUsedError,
} from '../persistence/persistence-errors.js';
import { INLINE_BURST, type RunMessage } from '../dispatch/messages.js';
import type { LoadedInstance } from '../persistence/records.js';
import { requireStorableStart } from '../persistence/storable-rows.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { activationRule } from './activation.js';
import { type BurstExtras, isOnlyHistory, toInstanceRecord, withKeys } from './burst-commit-builder.js';
import { BurstCommitter } from './burst-committer.js';
import { type CompleteBurst, firstBurst, nextBurst } from './burst-request.js';
import { BurstHeartbeat } from './burst-heartbeat.js';
import {
  BookmarkNotFoundError,
  InstanceExistsError,
  InstanceNotFoundError,
  InstanceNotRunningError,
} from './instance-errors.js';
import type { CreateInstanceRequest, RunInstanceRequest, RunInstanceResult } from './instance-services.js';
import { faultInstance } from './fault-instance.js';
import { InstanceTurns } from './instance-turns.js';
import { idOfRequest } from './request-id.js';
import { toResult } from './run-result.js';
import { RuntimeGate } from './runtime-gate.js';

/** How often a burst is repeated when somebody else commits the same instance meanwhile. */
const MAX_CONFLICTS = 20;

/** How far a burst has been stored. */
interface BurstProgress {
  before: LoadedInstance | undefined;
  extras: BurstExtras;
  /** The next commit is the first one of a burst that is the instance's first. */
  isFirst: boolean;
  /** Its name in the store, from its first commit half-way on. */
  burstId: string | undefined;
}

/**
 * The one path into a burst: HTTP, timers, queue, REST, parents and tests all come through here, so that the gate, the
 * status check, the activation strategy and the fencing by revision hold everywhere (W1–W4).
 *
 * Within a process, bursts of one instance follow one another; between processes, the store lets one commit win and the
 * others begin anew from what it wrote.
 */
@Injectable()
export class BurstExecutor {
  private readonly turns = new InstanceTurns();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly outbox: OutboxProcessor,
    private readonly gate: RuntimeGate,
    private readonly commitStrategies: CommitStrategies,
    private readonly heartbeat: BurstHeartbeat,
    private readonly committer: BurstCommitter,
    private readonly retention: Retention,
  ) {}

  /** A new instance; with `run` also its first burst, in the same commit. */
  create(
    instanceId: string,
    request: CreateInstanceRequest,
    run: RunInstanceRequest | undefined,
    extras: BurstExtras = {},
  ): Promise<RunInstanceResult> {
    return this.admitted(instanceId, async () => {
      requireStorableStart(instanceId, request);
      const graph = await this.graphOf(request.definition);
      const rule = activationRule(graph.definition, request.correlationId);
      if (rule && (await this.persistence.instances.count(rule.conflicting)) > 0)
        throw new ActivationRefusedError(rule.key);
      const burst = firstBurst(instanceId, graph, request, run);
      const { firing, requestKey } = request;
      const all = withKeys(extras, firing, requestKey, rule?.key);
      // A message with a request key may be one of several requests for the same start.
      if (run && (firing || (requestKey !== undefined && extras.consumedMessageIds)))
        return this.claimThenRun(burst, run, all);
      try {
        return run
          ? await this.runAndCommit(burst, undefined, all)
          : await this.committer.commit(this.unstarted(burst), undefined, all);
      } catch (error) {
        if (!isWaymarkError(error, 'WM7001')) throw error;
        // The key has been forgotten, and what it started is still there.
        if (requestKey !== undefined && instanceId === idOfRequest(requestKey))
          throw new RequestKeyUsedError(requestKey, instanceId);
        throw new InstanceExistsError(instanceId);
      }
    });
  }

  /**
   * A new instance as `change` makes it, which is stored without being run: a faulted one, for instance. It is none that an
   * activation strategy counts.
   */
  createChanged(
    instanceId: string,
    request: CreateInstanceRequest,
    change: (wec: WorkflowExecutionContext) => void,
    extras: BurstExtras,
  ): Promise<RunInstanceResult> {
    return this.admitted(instanceId, async () => {
      const wec = this.unstarted(firstBurst(instanceId, await this.graphOf(request.definition), request));
      change(wec);
      return this.committer.commit(wec, undefined, { ...extras, requestKey: request.requestKey }, { isFirst: true });
    });
  }

  private unstarted(burst: CompleteBurst): WorkflowExecutionContext {
    const wec = this.engine.runner.create(burst);
    wec.keepsInput = true;
    return wec;
  }

  private async graphOf(handle: WorkflowDefinitionHandle): Promise<WorkflowGraph> {
    const isVersion = typeof handle === 'object' && 'definitionVersionId' in handle;
    const { id } = isVersion ? { id: handle.definitionVersionId } : await this.definitions.require(handle);
    return this.definitions.graph(id);
  }

  /**
   * Timers wake all nodes at once, and callers repeat requests: the occurrence, or the request key, is claimed by committing
   * the new instance before anything runs, so that only one of them runs its activities. The message in that commit runs
   * it if this node dies in between (W8).
   */
  private async claimThenRun(
    burst: CompleteBurst,
    run: RunInstanceRequest,
    extras: BurstExtras,
  ): Promise<RunInstanceResult> {
    const { triggerActivityId } = run;
    const payload: RunMessage = { workflowInstanceId: burst.instanceId, triggerActivityId, input: burst.input };
    const wec = this.engine.runner.create(burst);
    const [message] = this.outbox.prepare([{ kind: 'run', payload }]);
    await this.committer.commit(wec, undefined, extras, { heldMessages: [message!] });
    const consumed = { consumedMessageIds: [message!.id] };
    return this.outbox.holdWhile(message!, () =>
      this.runStored(burst.instanceId, { ...run, input: burst.input }, consumed),
    );
  }

  /** One burst of an existing instance. */
  resume(instanceId: string, run: RunInstanceRequest, extras: BurstExtras = {}): Promise<RunInstanceResult> {
    const task = () => this.runStored(instanceId, run, extras);
    return extras.isAdmitted ? this.inTurn(instanceId, task) : this.admitted(instanceId, task);
  }

  /**
   * Runs the rest of a burst whose node is taken for dead. It becomes this node's in the store before anything runs: should
   * that node live after all, its next commit is refused, and it goes no further (W3).
   */
  takeOver(instanceId: string): Promise<RunInstanceResult> {
    return this.admitted(instanceId, async () => {
      await this.repeatOnConflict(async () => {
        const before = await this.loadRunning(instanceId);
        const graph = await this.definitions.graph(before.definitionVersionId);
        const wec = this.engine.runner.create({ graph, instanceId, state: before.state });
        wec.updatedAt = wec.now();
        wec.burstId = this.engine.newId();
        wec.keepsInput = true;
        await this.committer.commit(wec, before, {}, { isHalfway: true });
      });
      return this.runStored(instanceId, {}, {});
    });
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
      return this.runAndCommit(nextBurst(instanceId, graph, run, before.state, attempt), before, extras);
    });
  }

  /** True while this process runs a burst of it. */
  isActive(instanceId: string): boolean {
    return this.turns.burstOf(instanceId) !== undefined;
  }

  /**
   * False when it had ended already.
   * @param onCancel gets the instance before it is cancelled
   */
  cancel(
    instanceId: string,
    extras: BurstExtras = {},
    onCancel?: (wec: WorkflowExecutionContext) => void,
  ): Promise<boolean> {
    this.turns.burstOf(instanceId)?.cancel();
    return this.inTurn(instanceId, () =>
      this.repeatOnConflict(async () => {
        const before = await this.persistence.instances.load(instanceId);
        if (!before) throw new InstanceNotFoundError(instanceId);
        if (before.status !== 'Running') return before.subStatus === 'Cancelled' && this.isActive(instanceId);
        const graph = await this.definitions.graph(before.definitionVersionId);
        const wec = this.engine.runner.create({ graph, instanceId, state: before.state });
        onCancel?.(wec);
        wec.cancel();
        await this.committer.commit(wec, before, extras);
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
    extras: BurstExtras = {},
  ): Promise<RunInstanceResult> {
    return this.admitted(instanceId, () =>
      this.repeatOnConflict(async () => {
        const before = await this.persistence.instances.load(instanceId);
        if (!before) throw new InstanceNotFoundError(instanceId);
        const graph = await this.definitions.graph(versionId ?? before.definitionVersionId);
        const wec = this.engine.runner.create({ graph, instanceId, state: before.state });
        await change(wec);
        if (wec.isRunning && wec.queue.size > 0) {
          await this.engine.runner.drain(wec);
          wec.keepsInput = false;
        }
        return this.committer.commit(wec, before, extras);
      }),
    );
  }

  private async loadRunning(instanceId: string): Promise<LoadedInstance> {
    const loaded = await this.persistence.instances.load(instanceId);
    if (!loaded) throw new InstanceNotFoundError(instanceId);
    if (loaded.status !== 'Running') throw new InstanceNotRunningError(instanceId, loaded.subStatus);
    return loaded;
  }

  private admitted<T>(instanceId: string, task: () => Promise<T>): Promise<T> {
    return this.inTurn(instanceId, task, this.gate);
  }

  private async inTurn<T>(instanceId: string, task: () => Promise<T>, gate?: RuntimeGate): Promise<T> {
    gate?.enter();
    try {
      const turn = this.turns.enter(instanceId);
      if (turn) await turn;
      try {
        return await task();
      } finally {
        this.turns.leave(instanceId);
      }
    } finally {
      gate?.leave();
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
    burst: CompleteBurst,
    before: LoadedInstance | undefined,
    extras: BurstExtras,
  ): Promise<RunInstanceResult> {
    const { instanceId } = burst;
    const isFirst = before === undefined || before.subStatus === 'Pending';
    const progress: BurstProgress = { before, extras, isFirst, burstId: undefined };
    const commit = (running: WorkflowExecutionContext) => this.checkpoint(running, progress);
    burst.onBegin = (begun) => this.turns.setBurst(instanceId, begun);
    burst.onCheckpoint = commit;
    // An inline child that is lost runs again with its parent, which is stored.
    const isStored = (running: WorkflowExecutionContext) =>
      progress.before !== undefined || running.transient.has(INLINE_BURST);
    burst.commits = this.commitStrategies.forBurst(burst.graph, commit, isStored);
    try {
      const wec = await this.engine.runner.run(burst);
      wec.burstId = undefined;
      wec.keepsInput = false;
      if (isOnlyHistory(wec, progress) && this.retention.keepsNothingOf(wec.graph.definition.definitionId))
        return await this.committer.endUnwritten(wec);
      return await this.committer.commit(wec, progress.before, progress.extras, { isFirst: progress.isFirst });
    } catch (error) {
      const { burstId } = progress;
      if (burstId && isWaymarkError(error, 'WM7001')) return await this.goOnFromStored(instanceId, burstId);
      if (isWaymarkError(error, 'WM1102')) return await this.faultInstead(burst, progress, error);
      throw error;
    } finally {
      this.heartbeat.delete(instanceId);
      this.turns.setBurst(instanceId, undefined);
    }
  }

  /**
   * An activity has made a value that no store can hold: none of its burst can be written. Instead of being run again and
   * again to the same end, the instance is faulted where the burst began.
   * @throws the error itself when it is the caller's input that cannot be stored
   */
  private async faultInstead(
    burst: CompleteBurst,
    { before, extras, isFirst }: BurstProgress,
    error: Error,
  ): Promise<RunInstanceResult> {
    const wec = this.engine.runner.create({ ...burst, state: before?.state });
    // What is left of the burst is a retry's, which needs the input; nobody is to take it over.
    wec.keepsInput = true;
    wec.burstId = undefined;
    faultInstance(wec, error, wec.bookmarks.get(burst.bookmarkId ?? '')?.activityInstanceId);
    try {
      return await this.committer.commit(wec, before, extras, { isFirst });
    } catch (failure) {
      throw isWaymarkError(failure, 'WM1102') ? error : failure;
    }
  }

  /**
   * Commits a burst half-way, because a strategy says so or its journal would grow in memory; what it consumed is consumed
   * by this.
   */
  private async checkpoint(wec: WorkflowExecutionContext, progress: BurstProgress): Promise<void> {
    wec.updatedAt = wec.now();
    wec.burstId = progress.burstId ??= this.engine.newId();
    wec.keepsInput = true;
    if (wec.journal) for (const ctx of wec.contexts.values()) if (ctx.isDirty) wec.journal.record(ctx);
    const { before, extras, isFirst } = progress;
    const { state } = await this.committer.commit(wec, before, extras, { isFirst, isHalfway: true });
    progress.before = { ...toInstanceRecord(state), revision: (before?.revision ?? 0) + 1 };
    progress.extras = {};
    progress.isFirst = false;
    wec.consumedBookmarkIds.length = 0;
    this.heartbeat.add(wec.id);
  }

  /**
   * Somebody else changed the instance after a part of this burst was stored: the rest follows from what is there now,
   * unless another node has taken the burst over, which does the rest.
   */
  private goOnFromStored(instanceId: string, burstId: string): Promise<RunInstanceResult> {
    return this.repeatOnConflict(async (attempt) => {
      const before = await this.persistence.instances.load(instanceId);
      if (!before) throw new InstanceNotFoundError(instanceId);
      const graph = await this.definitions.graph(before.definitionVersionId);
      const burst = nextBurst(instanceId, graph, {}, before.state, attempt + 1);
      if (before.status === 'Running' && before.state.burstId === burstId) return this.runAndCommit(burst, before, {});
      return toResult(this.engine.runner.create(burst), before.state);
    });
  }
}
