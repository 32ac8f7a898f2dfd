import { Injectable } from '@nestjs/common';
import {
  type EndOptions,
  type VersionOptions,
  type WorkflowExecutionContext,
  type WorkflowGraph,
  type WorkflowState,
  isWaymarkError,
} from '@waymark/core';
import { originOfRest } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { within } from '../outages/within.js';
import { versionIdOf, type WorkflowDefinitionHandle } from '../services/definition-handle.js';
import { SealedProperties } from '../secrets/sealed-properties.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { CodeWorkflows } from '../definitions/code-workflows.js';
import { Outbox } from './outbox.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { isOutageOfCall, MessageConsumedError } from '../persistence/persistence-errors.js';
import { type RunMessage } from './messages.js';
import { type LoadedInstance, type OutboxMessage, toInstanceRecord } from '../persistence/records.js';
import { requireStorableStart } from '../services/storable-requests.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { activationRule } from './activation.js';
import { BurstRests } from './burst-rests.js';
import { type BurstExtras, withKeys } from './burst-commit-builder.js';
import { BurstCommitter } from './burst-committer.js';
import { BurstRunner } from './burst-runner.js';
import { cancelWithoutDefinition, graphToEnd } from './cancel-without-definition.js';
import { type CompleteBurst, firstBurst, nextBurst } from './complete-burst.js';
import { InstanceNotFoundError, InstanceNotRunningError } from '../services/instance-errors.js';
import type { CreateInstanceRequest, RunInstanceRequest, RunInstanceResult } from '../services/instance-services.js';
import { InstanceLocks } from './instance-locks.js';
import { isLarge } from './large-state.js';
import { repeatOnConflict } from '../persistence/repeat-on-conflict.js';
import { isBookmarkRun, MAX_SHARED, ResumeRequest } from './resume-request.js';
import { RuntimeGate } from './runtime-gate.js';
import { refusedKey, retakenKey } from './retaken-keys.js';
import { SharedResumes } from './shared-resumes.js';
import { refusalOf, requireStartable, requireUnused } from './start-refusals.js';
import { startedInputs } from './started-inputs.js';

/** So long a cancellation waits for `onCanceled` of activities. */
const RELEASE_MS = 10_000;

/** An instance as another version has it. */
export type OpenInstance = (
  before: LoadedInstance,
) => Promise<{ readonly graph: WorkflowGraph; readonly state: WorkflowState }>;

/**
 * The one path into a burst: HTTP, timers, queue, REST, parents and tests all come through here, so that the gate, the
 * status check, the activation strategy and the fencing by revision hold everywhere (W1–W4).
 *
 * Within a process, bursts of one instance follow one another; between processes, the store lets one commit win and the
 * others begin anew from what it wrote.
 */
@Injectable()
export class BurstExecutor {
  private readonly rests = new BurstRests();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly outbox: Outbox,
    private readonly gate: RuntimeGate,
    private readonly locks: InstanceLocks,
    private readonly runner: BurstRunner,
    private readonly committer: BurstCommitter,
    private readonly resumes: SharedResumes,
    private readonly code: CodeWorkflows,
    private readonly sealed: SealedProperties,
    private readonly clock: WorkflowClock,
  ) {}

  /**
   * Creates an instance; with `run` also its first burst, in the same commit. All in one function: each asynchronous one that stands in
   * between costs every start as much as an activity does.
   */
  async create(
    instanceId: string,
    request: CreateInstanceRequest,
    run: RunInstanceRequest | undefined,
    extras: BurstExtras = {},
  ): Promise<RunInstanceResult> {
    const gate = extras.isAdmitted ? undefined : this.gate;
    gate?.enter();
    try {
      const turn = this.enterTurn(instanceId);
      if (turn) await turn;
      try {
        requireStorableStart(instanceId, request);
        const graph = await this.graphOf(request.definition);
        this.code.requireComplete(graph);
        const rule = activationRule(graph.definition, request.correlationId);
        const { instances } = this.persistence;
        const asking = requireStartable(instances, instanceId, request, rule, extras);
        const isIdFree = typeof asking === 'boolean' ? asking : await asking;
        const input = startedInputs(graph.definition, request, run, this.engine.types, {
          isStored: extras.consumedMessageIds !== undefined,
        });
        const burst = firstBurst(instanceId, graph, request, run, input);
        const { firing, requestKey, activationKey } = request;
        const all = withKeys(extras, firing, requestKey, rule?.key ?? activationKey, request.correlationId);
        // A message with a request key may be one of several requests for the same start.
        if (run && (firing || (requestKey !== undefined && (request.claimsFirst || extras.consumedMessageIds))))
          return await this.claimThenRun(burst, run, all);
        // Before the activities of a request that is repeated run, for nothing. Its commit decides.
        const mayBeRepeated = requestKey !== undefined || !isIdFree;
        if (run && mayBeRepeated && !extras.consumedMessageIds)
          await requireUnused(instances, instanceId, requestKey, isIdFree);
        try {
          return run
            ? await this.runner.run(burst, undefined, all)
            : await this.committer.commit(this.unstarted(burst), undefined, all);
        } catch (error) {
          throw refusalOf(error, instanceId, requestKey);
        }
      } catch (error) {
        this.refuseOthers(instanceId, error);
        throw error;
      } finally {
        this.locks.leave(instanceId);
      }
    } finally {
      gate?.leave();
    }
  }

  /**
   * Stores a new instance as `change` makes it, without running it: a faulted one, for instance. Activation strategies do not count
   * it.
   */
  createChanged(
    instanceId: string,
    request: CreateInstanceRequest,
    change: (wec: WorkflowExecutionContext) => void,
    extras: BurstExtras,
    run?: RunInstanceRequest,
  ): Promise<RunInstanceResult> {
    return this.admitted(instanceId, async () => {
      const graph = await this.graphOf(request.definition);
      this.code.requireComplete(graph);
      const wec = this.unstarted(firstBurst(instanceId, graph, request, run));
      change(wec);
      return this.committer.commit(wec, undefined, { ...extras, requestKey: request.requestKey }, { isFirst: true });
    });
  }

  private unstarted(burst: CompleteBurst): WorkflowExecutionContext {
    const wec = this.engine.runner.create(burst);
    wec.keepsInput = true;
    return wec;
  }

  /** The caller asks `code` whether the graph is complete: one asynchronous function less for each start. */
  private graphOf(handle: WorkflowDefinitionHandle): Promise<WorkflowGraph> {
    const versionId = versionIdOf(handle);
    return versionId === undefined ? this.graphOfDefinition(handle) : this.definitions.graph(versionId);
  }

  private async graphOfDefinition(handle: WorkflowDefinitionHandle): Promise<WorkflowGraph> {
    const { id, definitionId } = await this.definitions.require(handle);
    try {
      return await this.graphHere(id);
    } catch (error) {
      // The published version is that of a newer deployment: this node starts what it has.
      const [own] = isWaymarkError(error, 'WM2040') && isPublishedOf(handle) ? this.code.versionsOf(definitionId) : [];
      if (own === undefined) throw error;
      return this.graphHere(own);
    }
  }

  /** @throws WorkflowCodeMissingError other nodes may have the code of that version */
  private async graphHere(versionId: string): Promise<WorkflowGraph> {
    const graph = await this.definitions.graph(versionId);
    this.code.requireComplete(graph);
    return graph;
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
    const message = this.outbox.prepareHeld({ kind: 'run', payload });
    let claimed: RunInstanceResult;
    try {
      claimed = await this.committer.commit(wec, undefined, extras, { heldMessages: [message] });
    } catch (error) {
      throw refusalOf(error, burst.instanceId, extras.requestKey);
    }
    const { state } = claimed;
    const consumed = { consumedMessageIds: [message.id] };
    const stored = { ...toInstanceRecord(state), revision: 1 };
    return this.outbox.holdWhile(message, async () => {
      // Two nodes would run its activities, and the caller would wait for a burst whose commit is refused.
      if (!(await this.outbox.isOurs(message))) throw new MessageConsumedError(message.id);
      return this.runStored(burst.instanceId, { ...run, input: burst.input }, consumed, stored);
    });
  }

  /**
   * Runs an existing instance. Resumes of its bookmarks that wait for each other share a burst, and each is answered for
   * itself: a caller with several for one instance asks for all of them at once, in their order.
   */
  resume(instanceId: string, run: RunInstanceRequest, extras: BurstExtras = {}): Promise<RunInstanceResult> {
    if (isBookmarkRun(run)) {
      const isPatient = this.outbox.isServing(extras.consumedMessageIds);
      return this.shared(instanceId, new ResumeRequest(run, extras, this.causeOf(run, extras), isPatient));
    }
    const task = () => this.runStored(instanceId, run, extras);
    return extras.isAdmitted ? this.inTurn(instanceId, task) : this.admitted(instanceId, task);
  }

  private async shared(instanceId: string, request: ResumeRequest): Promise<RunInstanceResult> {
    const gate = request.extras.isAdmitted ? undefined : this.gate;
    gate?.enter();
    try {
      if (await this.getsTurn(instanceId, request))
        try {
          await this.serveShared(instanceId, request);
          this.refuseOthers(instanceId, request.error);
        } finally {
          this.locks.leave(instanceId);
        }
      return request.outcome();
    } finally {
      gate?.leave();
    }
  }

  /** Returns false if it was served in the turn of another one. */
  private async getsTurn(instanceId: string, request: ResumeRequest): Promise<boolean> {
    const { isPatient, extras } = request;
    if (!isPatient) this.rests.end(instanceId);
    const turn = this.locks.enter(instanceId, request);
    if (!turn) return true;
    // The next burst takes no more.
    if (this.locks.waitingFor(instanceId) >= MAX_SHARED - 1) this.rests.end(instanceId);
    return isPatient ? this.outbox.whileAside(extras.consumedMessageIds, turn) : turn;
  }

  private async serveShared(instanceId: string, request: ResumeRequest): Promise<void> {
    const { isPatient, extras } = request;
    const rest = isPatient ? this.rests.of(instanceId) : undefined;
    if (rest) await this.outbox.whileAside(extras.consumedMessageIds, rest);
    const begunAt = this.rests.now();
    await this.resumes.serve(instanceId, request);
    // In a chain of messages, each of which follows from the one before, there is nothing to gather.
    if (isPatient && this.locks.waitingFor(instanceId) > 0) this.rests.begin(instanceId, begunAt);
  }

  /**
   * Runs the rest of a burst whose node is taken for dead. It becomes this node's in the store before anything runs: should that node live
   * after all, its next commit is refused, and it goes no further (W3).
   * @param messageId of the message that asks for it. The commit that ends the burst consumes it, none before: the burst may end its node
   * @returns false when no burst of it is under way
   * @throws InstanceNotFoundError, InstanceNotRunningError
   */
  takeOver(instanceId: string, messageId: string): Promise<boolean> {
    return this.admitted(instanceId, async () => {
      const isTaken = await repeatOnConflict(async () => {
        const before = await this.loadRunning(instanceId);
        if (!before.isExecuting) return false;
        const graph = await this.graphHere(before.definitionVersionId);
        const wec = await this.engine.runner.createPaced({ graph, instanceId, state: before.state });
        wec.updatedAt = wec.now();
        wec.burstId = this.engine.newId();
        wec.keepsInput = true;
        await this.committer.commit(wec, before, {}, { isHalfway: true, isExecutedHere: true });
        return true;
      });
      if (isTaken) await this.runStored(instanceId, {}, { consumedAtEnd: [messageId] });
      return isTaken;
    });
  }

  /** @param known as this node has just stored it: read again only when another caller has changed it meanwhile */
  private runStored(
    instanceId: string,
    run: RunInstanceRequest,
    extras: BurstExtras,
    known?: LoadedInstance,
  ): Promise<RunInstanceResult> {
    const cause = this.causeOf(run, extras);
    return repeatOnConflict(async (attempt) => {
      const before = (attempt === 1 && known) || (await this.loadRunning(instanceId));
      const graph = await this.graphHere(before.definitionVersionId);
      if (isLarge(before.state)) await this.engine.runner.engine.yield?.();
      return this.runner.run(nextBurst(instanceId, graph, run, before.state, attempt, cause), before, extras);
    });
  }

  /** What tells this burst from others, also when it is repeated: the message that asks for it, or this one call. */
  private causeOf({ bookmarkId, activityHandle }: RunInstanceRequest, extras: BurstExtras): string | undefined {
    // A stimulus is the same whichever message asks for its delivery.
    const asked = extras.consumedQueueItemIds?.[0] ?? extras.consumedMessageIds?.[0];
    // Without either it goes on with what was interrupted, under the names that it had.
    return asked ?? (bookmarkId !== undefined || activityHandle ? this.engine.newId() : undefined);
  }

  /** True while this process runs a burst of it. */
  isActive(instanceId: string): boolean {
    return this.locks.burstOf(instanceId) !== undefined;
  }

  /**
   * Cancels an instance. Returns false if it had ended already. What has to be undone follows as work of its own, which ends the instance.
   * @param onCancel gets the instance before it is cancelled
   */
  cancel(
    instanceId: string,
    extras: BurstExtras = {},
    onCancel?: (wec: WorkflowExecutionContext) => void,
    options?: EndOptions,
  ): Promise<boolean> {
    this.locks.burstOf(instanceId)?.cancel(options);
    return this.inTurn(instanceId, () =>
      repeatOnConflict(async () => {
        const before = await this.persistence.instances.load(instanceId);
        if (!before) throw new InstanceNotFoundError(instanceId);
        if (before.status !== 'Running') return before.subStatus === 'Cancelled' && this.isActive(instanceId);
        const graph = await graphToEnd(
          this.definitions,
          before,
          onCancel !== undefined || options?.isAbandoned === true,
        );
        if (!graph) {
          const { persistence, outbox, engine } = this;
          await cancelWithoutDefinition({ persistence, outbox, engine }, before, this.clock.now(), extras);
          return true;
        }
        const wec = await this.engine.runner.createPaced({
          graph,
          instanceId,
          state: before.state,
          keepsUnreadable: true,
        });
        // Cancelled before: what is left of it is under way already, and a second message would do it again.
        const isLeft = wec.isBeingUndone;
        // A commit would change nothing but the revision: the burst that undoes, on whatever node, would be refused, and undo once more.
        if (isLeft && !onCancel && !options?.isAbandoned) return true;
        onCancel?.(wec);
        wec.cancel(options);
        if (wec.isTracking) await this.whileReleasing(wec);
        const heldMessages = isLeft || !wec.isRunning ? [] : this.leftToMessage(wec);
        await this.committer.commit(wec, before, { ...extras, atAnySize: true }, { heldMessages });
        this.outbox.deliverSoon(heldMessages);
        return true;
      }),
    );
  }

  /** A service that does not answer to what an activity releases must not keep an instance from being cancelled. */
  private async whileReleasing(wec: WorkflowExecutionContext): Promise<void> {
    const releasing = async (): Promise<void> => {
      for (let work = wec.takeTracked(); work; work = wec.takeTracked()) await Promise.all(work);
    };
    await within(this.clock, RELEASE_MS, releasing());
  }

  /** What cleans up is run by the node that serves it: that it has to be is stored with the cancellation. */
  private leftToMessage(wec: WorkflowExecutionContext): readonly OutboxMessage[] {
    // Another node's burst of it goes no further.
    wec.burstId = undefined;
    if (wec.queue.size === 0) return [];
    const payload: RunMessage = { workflowInstanceId: wec.id };
    const messages = this.outbox.prepare([{ kind: 'run', payload, workflowInstanceId: wec.id }]);
    // Whichever way it is gone on with, it has these identities: by the message, or when the instance is taken over (W9).
    wec.interrupted = { burstOrigin: originOfRest(wec, messages[0]!.id) };
    return messages;
  }

  /**
   * Changes an instance outside of a burst (a variable, an alteration); what the change schedules is run.
   * @param change gets the restored instance; what it throws leaves everything as it was
   * @param open returns another version to continue with, and the state for it
   * @throws ActivationRefusedError when it lets a finished instance run that another running one excludes
   */
  change(
    instanceId: string,
    change: (wec: WorkflowExecutionContext) => unknown,
    open?: OpenInstance,
    extras: BurstExtras = {},
  ): Promise<RunInstanceResult> {
    const cause = extras.consumedMessageIds?.[0] ?? this.engine.newId();
    return this.admitted(instanceId, () =>
      repeatOnConflict(async () => {
        const before = await this.persistence.instances.load(instanceId);
        if (!before) throw new InstanceNotFoundError(instanceId);
        const opened = await open?.(before);
        const graph = opened?.graph ?? (await this.graphHere(before.definitionVersionId));
        const state = opened?.state ?? before.state;
        const wec = await this.engine.runner.createPaced({ graph, instanceId, state, cause, isChange: true });
        await change(wec);
        const { instances } = this.persistence;
        const activationKey = await retakenKey(instances, wec, before);
        const all = activationKey === undefined ? extras : { ...extras, activationKey };
        try {
          return wec.isRunning && wec.queue.size > 0
            ? await this.runner.runChange(wec, before, all)
            : await this.committer.commit(wec, before, all);
        } catch (error) {
          throw activationKey === undefined ? error : await refusedKey(instances, instanceId, error);
        }
      }),
    );
  }

  /** Stores an instance as it is: nothing of it is run, and what is encrypted is so with the current key. */
  rewrite(instanceId: string): Promise<RunInstanceResult> {
    return this.admitted(instanceId, () =>
      repeatOnConflict(async () => {
        const before = await this.persistence.instances.load(instanceId);
        if (!before) throw new InstanceNotFoundError(instanceId);
        const graph = await this.definitions.graph(before.definitionVersionId);
        const wec = await this.engine.runner.createPaced({ graph, instanceId, state: before.state });
        this.sealed.renew(wec.properties, instanceId, this.engine.runner.engine.cipher);
        // This commit is not the end of a burst, so listeners to those are not notified.
        return this.committer.commit(wec, before, {}, { isHalfway: true });
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

  /** `leave` of the locks has to follow. @returns what to wait for */
  private enterTurn(instanceId: string): Promise<boolean> | undefined {
    this.rests.end(instanceId);
    return this.locks.enter(instanceId);
  }

  private async inTurn<T>(instanceId: string, task: () => Promise<T>, gate?: RuntimeGate): Promise<T> {
    gate?.enter();
    try {
      const turn = this.enterTurn(instanceId);
      if (turn) await turn;
      try {
        return await task();
      } catch (error) {
        this.refuseOthers(instanceId, error);
        throw error;
      } finally {
        this.locks.leave(instanceId);
      }
    } finally {
      gate?.leave();
    }
  }

  private refuseOthers(instanceId: string, error: unknown): void {
    // What was too much for one call may not be so for the others, such as a cancellation behind a large commit.
    if (isWaymarkError(error, 'WM7014') && !isOutageOfCall(error)) this.locks.refuse(instanceId, error);
  }
}

/** What was asked for is the current version, not a certain one. */
function isPublishedOf(handle: WorkflowDefinitionHandle): boolean {
  if (typeof handle === 'string') return true;
  const { versionOptions = 'Published' } = handle as { readonly versionOptions?: VersionOptions };
  return versionOptions === 'Published';
}
