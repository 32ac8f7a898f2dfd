import { Inject, Injectable } from '@nestjs/common';
import { isWaymarkError, type WorkflowExecutionContext, type WorkflowGraph } from '@waymark/core';
import { isPromiseLike, TIMEOUT_BOOKMARK } from '@waymark/core/adapter';
import { CommitStrategies } from './commit-strategies.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { LongStarts } from './long-starts.js';
import { INLINE_BURST, type RunMessage } from './messages.js';
import { Outbox } from './outbox.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { type LoadedInstance, toInstanceRecord } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { type BurstExtras, endingExtras, isOnlyHistory, joinedExtras } from './burst-commit-builder.js';
import { BurstCommitter } from './burst-committer.js';
import { BurstHeartbeat } from './burst-heartbeat.js';
import type { BurstProgress } from './burst-progress.js';
import { type BurstHooks, type CompleteBurst, nextBurst, withHooks } from './complete-burst.js';
import { faultInstance, withdraw } from './fault-instance.js';
import { InstanceNotFoundError } from '../services/instance-errors.js';
import type { RunInstanceResult } from '../services/instance-services.js';
import { InstanceLocks } from './instance-locks.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { ConcurrencyConflictError } from '../persistence/persistence-errors.js';
import { repeatOnConflict } from '../persistence/repeat-on-conflict.js';
import { toResult } from './run-result.js';
import type { SharedBurst } from './shared-burst.js';
import { isNotStorable, waysToFault } from './ways-to-fault.js';

/** How long other work of the process waits while one short resume follows another, in milliseconds. */
const YIELD_AFTER_MS = 5;

/** Runs a burst whose turn it is, and stores it: at its end, half-way where something asks for it, or as a fault. */
@Injectable()
export class BurstRunner {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly commitStrategies: CommitStrategies,
    private readonly heartbeat: BurstHeartbeat,
    private readonly committer: BurstCommitter,
    private readonly locks: InstanceLocks,
    private readonly longStarts: LongStarts,
    private readonly outbox: Outbox,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {}

  /**
   * @param before what is stored; absent for a new instance
   * @param shared further resumes, which are stored along with it, and notified
   * @throws ConcurrencyConflictError when another caller committed the instance before any of this burst was stored
   */
  async run(
    burst: CompleteBurst,
    before: LoadedInstance | undefined,
    extras: BurstExtras,
    shared?: SharedBurst,
  ): Promise<RunInstanceResult> {
    const turn = before ? loopTurns.goOn() : loopTurns.begin();
    if (turn) await turn;
    const { instanceId } = burst;
    const isFirst = before === undefined || before.subStatus === 'Pending';
    const progress: BurstProgress = { before, extras, isFirst, burstId: undefined, shared };
    // All in one function: each asynchronous one that stands in between costs every start as much as an activity does.
    let latest = this.hooked(burst, progress);
    if (extras.isListedWhenLong && isFirst && !before)
      this.longStarts.begin(instanceId, () => this.noteBegun(burst, progress));
    let result: RunInstanceResult;
    let isStored = false;
    try {
      try {
        const running = this.engine.runner.runPaced(latest);
        const wec = isPromiseLike(running) ? await running : running;
        if (shared) latest = await this.runFurther(wec, latest, progress, shared);
        const noting = extras.isListedWhenLong && this.longStarts.end(instanceId);
        if (noting) await noting;
        wec.burstId = undefined;
        wec.keepsInput = false;
        // Instances of the definition that end well are not kept.
        result =
          isOnlyHistory(wec, progress) && this.options.retentionOf[wec.graph.definition.definitionId] === 0
            ? await this.committer.endUnwritten(wec)
            : await this.committer.commit(wec, progress.before, endingExtras(progress.extras), {
                isFirst: progress.isFirst,
              });
      } catch (error) {
        const noting = extras.isListedWhenLong && this.longStarts.end(instanceId);
        if (noting) await noting;
        result = await this.afterFailure(latest, progress, error);
      }
      isStored = true;
      shared?.stored(result);
      return result;
    } finally {
      if (extras.isListedWhenLong) void this.longStarts.end(instanceId);
      progress.onEnd?.(isStored);
      this.heartbeat.delete(instanceId);
      this.locks.setBurst(instanceId, undefined);
    }
  }

  /**
   * Stores a burst that has not been stored at all as an instance that is to run. A message stands for the rest of it, which
   * this node holds until the burst has ended: should the node die, another one runs it (W8).
   *
   * @returns false when the store has failed, which may pass
   */
  private async noteBegun(burst: CompleteBurst, progress: BurstProgress): Promise<boolean> {
    const { instanceId: workflowInstanceId, triggerActivityId, input } = burst;
    const payload: RunMessage = { workflowInstanceId, triggerActivityId, input };
    const message = this.outbox.prepareHeld({ kind: 'run', payload });
    const ended = new Promise<boolean>((resolve) => (progress.onEnd = resolve));
    try {
      const wec = this.engine.runner.create(burst);
      const { state } = await this.committer.commit(wec, undefined, progress.extras, { heldMessages: [message] });
      progress.before = { ...toInstanceRecord(state), revision: 1 };
      progress.extras = { consumedMessageIds: [message.id] };
      void this.outbox
        .holdWhile(message, () => ended)
        .then((isStored) => {
          // Another caller has changed the instance meanwhile: as a message that a node has left, it would wait for half a minute.
          if (!isStored) this.outbox.deliverSoon([message]);
        });
      return true;
    } catch (error) {
      // What is in the way for good is so for the commit that ends the burst as well, which says it.
      return error instanceof ConcurrencyConflictError;
    }
  }

  /**
   * Runs what a change has scheduled as every other burst, and stores both. Where its first commit fails, the change did not come about.
   * @throws ConcurrencyConflictError as `run`, and any other error before that commit
   */
  async runChange(wec: WorkflowExecutionContext, before: LoadedInstance, extras: BurstExtras) {
    const { id, graph } = wec;
    const progress: BurstProgress = { before, extras, isFirst: false, burstId: undefined, shared: undefined };
    const hooks = this.hooksOf(id, graph, progress);
    hooks.onBegin(wec);
    try {
      // Another instance may not run beside it from now on. At its end, the store would refuse what it has done by then.
      if (extras.activationKey !== undefined) await this.checkpoint(wec, progress);
      await this.engine.runner.drain(wec, hooks);
      wec.burstId = undefined;
      wec.keepsInput = false;
      return await this.committer.commit(wec, progress.before, endingExtras(progress.extras));
    } catch (error) {
      // The rest of what is stored is a burst like any other.
      if (!progress.isStoredHalfway) throw error;
      return await this.afterFailure(nextBurst(id, graph, {}, progress.before!.state, 1), progress, error);
    } finally {
      this.heartbeat.delete(id);
      this.locks.setBurst(id, undefined);
    }
  }

  private hooked(burst: CompleteBurst, progress: BurstProgress): CompleteBurst {
    return withHooks(burst, this.hooksOf(burst.instanceId, burst.graph, progress));
  }

  private hooksOf(instanceId: string, graph: WorkflowGraph, progress: BurstProgress): BurstHooks {
    const onCheckpoint = (running: WorkflowExecutionContext) => this.checkpoint(running, progress);
    // An inline child that is lost runs again with its parent, which is stored.
    const isStored = (running: WorkflowExecutionContext) =>
      progress.before !== undefined || running.transient.has(INLINE_BURST);
    return {
      onBegin: (begun) => this.locks.setBurst(instanceId, begun),
      onCheckpoint,
      commits: this.commitStrategies.forBurst(graph, onCheckpoint, isStored),
    };
  }

  /** @throws the error itself where nothing else can be done */
  private async afterFailure(
    latest: CompleteBurst,
    progress: BurstProgress,
    error: unknown,
  ): Promise<RunInstanceResult> {
    const { burstId, isStoredHalfway, shared } = progress;
    if (isWaymarkError(error, 'WM7017')) this.persistence.largeStates.noteRefused();
    // Of a burst whose first commit is refused nothing is stored: what it was to do would be lost, and reported as done.
    if (burstId && isStoredHalfway && isWaymarkError(error, 'WM7001'))
      return this.goOnFromStored(latest.instanceId, burstId, progress.extras);
    // Of several it is not known which one has made the value.
    if (isNotStorable(error) && (!shared || shared.isAlone)) return this.faultInstead(latest, progress, error);
    throw error;
  }

  /** Continues with what waits for the same instance, as long as nothing of the burst is stored yet. @returns the last one */
  private async runFurther(
    wec: WorkflowExecutionContext,
    first: CompleteBurst,
    progress: BurstProgress,
    shared: SharedBurst,
  ): Promise<CompleteBurst> {
    const { runner } = this.engine;
    let latest = first;
    let yieldedAt = wec.time;
    // What is stored half-way is stored to its end before anything else happens to the instance.
    while (progress.burstId === undefined) {
      const next = shared.next(wec);
      if (!next) break;
      progress.extras = joinedExtras(progress.extras, next.extras);
      latest = this.hooked(next.burst, progress);
      await runner.resumeNext(wec, latest);
      if (wec.time - yieldedAt < YIELD_AFTER_MS) continue;
      await runner.engine.yield?.();
      yieldedAt = wec.now();
    }
    if (latest !== first) runner.recordChanged(wec);
    return latest;
  }

  /**
   * An activity has made a value that the store cannot hold: none of its burst can be written. Instead of being run again and
   * again to the same end, the instance is faulted where the burst began, with the input that a retry needs.
   * @throws the error itself, and the instance stays as it is, when it is the caller's input that cannot be stored
   */
  private async faultInstead(burst: CompleteBurst, progress: BurstProgress, error: Error): Promise<RunInstanceResult> {
    const stored = { ...progress, before: await this.unchanged(progress.before) };
    for (const { keepsInput, atAnySize } of waysToFault(burst, progress.extras))
      try {
        // Serializing a state that is too large takes long each time: lets other work run in between.
        await this.engine.runner.engine.yield?.();
        return await this.commitFault(burst, stored, error, keepsInput, atAnySize);
      } catch (failure) {
        if (!isNotStorable(failure)) throw failure;
      }
    throw error;
  }

  /**
   * As it is stored: what a burst restores it may change in place, such as the lists of what is to be undone. A step would be there that is
   * run again, and undone twice.
   */
  private async unchanged(before: LoadedInstance | undefined): Promise<LoadedInstance | undefined> {
    const stored = before && (await this.persistence.instances.load(before.id));
    // Of another revision, the commit is refused.
    return stored?.revision === before?.revision ? stored : before;
  }

  private async commitFault(
    burst: CompleteBurst,
    { before, extras, isFirst }: BurstProgress,
    error: Error,
    keepsInput: boolean,
    atAnySize: boolean,
  ): Promise<RunInstanceResult> {
    const wec = await this.engine.runner.createPaced({ ...burst, state: before?.state });
    wec.keepsInput = keepsInput;
    // Without its input, a start is not repeated.
    if (!keepsInput) wec.triggerActivityId = wec.keptStart = undefined;
    // The rest of the burst is left to a retry; no node is to take it over.
    wec.burstId = undefined;
    const bookmark = wec.bookmarks.get(burst.bookmarkId ?? '');
    // A retry would run it beside what it contains, and continue behind that.
    if (bookmark?.name === TIMEOUT_BOOKMARK) withdraw(wec, bookmark, error);
    faultInstance(wec, error, bookmark?.activityInstanceId);
    return this.committer.commit(wec, before, { ...endingExtras(extras), atAnySize }, { isFirst });
  }

  /**
   * Commits a burst half-way, because a strategy says so or its journal would grow in memory; what it consumed is consumed by this. Not
   * beside one that another node has stored half-way: an instance has the name and the input of one, and that node would lose its own.
   */
  private async checkpoint(wec: WorkflowExecutionContext, progress: BurstProgress): Promise<void> {
    if (wec.isBeside) return;
    const noting = progress.extras.isListedWhenLong && this.longStarts.end(wec.id);
    if (noting) await noting;
    wec.updatedAt = wec.now();
    wec.burstId = progress.burstId ??= this.engine.newId();
    wec.keepsInput = true;
    this.engine.runner.recordChanged(wec);
    const { before, extras, isFirst } = progress;
    const stored = await this.whileTaken(wec, () =>
      this.committer.commit(wec, before, extras, { isFirst, isHalfway: true, isExecutedHere: true }),
    );
    const { state } = stored;
    progress.shared?.storedHalfway(stored);
    progress.isStoredHalfway = true;
    progress.before = { ...toInstanceRecord(state), revision: (before?.revision ?? 0) + 1 };
    progress.extras = { consumedAtEnd: extras.consumedAtEnd };
    progress.isFirst = false;
    wec.consumedBookmarkIds.length = 0;
    this.heartbeat.add(wec.id);
  }

  /**
   * A large state is taken part by part, while the burst pauses. A cancellation from outside would change parts that are not taken yet, so it
   * is applied afterwards.
   */
  private async whileTaken<T>(wec: WorkflowExecutionContext, commit: () => Promise<T>): Promise<T> {
    wec.isBeingTaken = true;
    try {
      return await commit();
    } finally {
      wec.isBeingTaken = false;
      const { missedCancel } = wec;
      wec.missedCancel = undefined;
      const cancelling = missedCancel && wec.cancel(missedCancel);
      if (isPromiseLike(cancelling)) await cancelling;
    }
  }

  /**
   * Another caller changed the instance after a part of this burst was stored: the rest follows from what is there now,
   * unless another node has taken the burst over, which does the rest.
   */
  private goOnFromStored(instanceId: string, burstId: string, extras: BurstExtras): Promise<RunInstanceResult> {
    return repeatOnConflict(async (attempt) => {
      const before = await this.persistence.instances.load(instanceId);
      if (!before) throw new InstanceNotFoundError(instanceId);
      const graph = await this.definitions.graph(before.definitionVersionId);
      const burst = nextBurst(instanceId, graph, {}, before.state, attempt + 1);
      if (before.status === 'Running' && before.state.burstId === burstId) return this.run(burst, before, extras);
      return toResult(await this.engine.runner.createPaced(burst), before.state);
    });
  }
}
