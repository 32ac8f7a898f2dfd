import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError, type WorkflowState } from '@waymark/core';
import {
  BACKGROUND_BOOKMARK,
  BACKGROUND_MESSAGE,
  BACKGROUND_OUTCOME,
  type BackgroundJob,
  type BackgroundOutcome,
  runDetached,
  TIMEOUT_BOOKMARK,
} from '@waymark/core/adapter';
import { CodeWorkflows } from '../definitions/code-workflows.js';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import { InstanceParking } from '../instances/instance-parking.js';
import { orLater } from '../outbox/outbox-handler.js';
import { type CancelTimer, WorkflowClock } from '../clock/workflow-clock.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { type WorkflowBookmarksIndexed, WorkflowEvent } from '../events/workflow-events.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { RuntimeGate } from '../bursts/runtime-gate.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { BackgroundActivityAbandonedError, BackgroundTimeLimitError } from './background-errors.js';
import { type BackgroundRun, BackgroundRuns } from './background-runs.js';
import { type InstanceView, InstanceViews } from './instance-views.js';

/** Pauses between two looks at work whose instance has faulted: a tenth of its age, since most are repaired soon or never. */
const REPAIR_LOOKS = { shortestMs: 30_000, longestMs: 3_600_000 };

/** Kind of the messages that fault an activity which was given up. A node that does not know it leaves them to others. */
const ABANDONED = 'background-abandoned';

/** Payload of that kind. */
interface AbandonedJob {
  readonly job: BackgroundJob;
  /** How often it was begun. */
  readonly attempts: number;
  readonly reason: string;
}

/**
 * Executes activities outside of their bursts, on any node: at least once. What one did is repeated on its instance by the
 * resume of its bookmark, in the commit that consumes the message: exactly once.
 */
@Injectable()
export class BackgroundActivities implements OnModuleInit, OnModuleDestroy {
  private readonly views: InstanceViews;

  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly executor: BurstExecutor,
    private readonly gate: RuntimeGate,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
    private readonly code: CodeWorkflows,
    private readonly events: WorkflowEventEmitter,
    private readonly runs: BackgroundRuns,
    private readonly parking: InstanceParking,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    this.views = new InstanceViews(persistence);
  }

  onModuleInit(): void {
    this.events.listen<WorkflowBookmarksIndexed>(WorkflowEvent.BookmarksIndexed, (event) =>
      this.onBookmarksIndexed(event),
    );
    this.outbox.register({
      kind: BACKGROUND_MESSAGE,
      isLong: true,
      waitsForRepair: true,
      handle: (message, signal) => this.serve(message, signal),
      findObsolete: (messages) => this.findObsolete(messages),
      abandon: (message, error) => this.abandon(message, error),
    });
    this.outbox.register({
      kind: ABANDONED,
      waitsForRepair: true,
      handle: (message) => this.fault(message),
      abandon: (message, error) => this.park(message, error),
    });
  }

  onModuleDestroy(): void {
    this.views.clear();
  }

  /** Called for a cancellation on this node: aborts the activity at once, without waiting for the next look at the store. */
  onBookmarksIndexed({ removed }: WorkflowBookmarksIndexed): void {
    for (const { id, name } of removed) if (name === BACKGROUND_BOOKMARK) this.runs.giveUpAt(id);
  }

  private async serve(message: OutboxMessage, lost: AbortSignal): Promise<void> {
    const job = message.payload as BackgroundJob;
    // Entered for the whole execution: a shutdown waits for it, and must not refuse its result.
    this.gate.enter();
    const run = this.runs.begin(job);
    const giveUp = () => this.runs.giveUp(run, lost.reason as Error);
    lost.addEventListener('abort', giveUp);
    if (lost.aborted) giveUp();
    let late: Promise<unknown> | undefined;
    let isLeft: boolean;
    try {
      const view = await this.views.of(job.workflowInstanceId);
      const executed = isWaitingAt(view, job) ? await this.execute(run, view, message.attempts) : {};
      late = executed.late;
      isLeft = await this.apply(job, executed.outcome, message, lost);
    } catch (error) {
      if (!isGone(error)) throw error;
      isLeft = await this.dropUnlessRepairable(job, message);
    } finally {
      this.gate.leave();
      // Also when what came of it could not be stored.
      if (late) void ended(late).then(() => this.runs.end(run));
      else this.runs.end(run);
    }
    // Its message may be for another run, once the instance has been repaired, while this one never returns.
    if (late && !isLeft) await this.outlive(late, message);
  }

  /** @returns whether its message is left, to be looked at again */
  private async apply(
    job: BackgroundJob,
    outcome: BackgroundOutcome | undefined,
    message: OutboxMessage,
    lost: AbortSignal,
  ): Promise<boolean> {
    // Called off since another node does it: that it ended so is no fault of the instance. What was completed all the same counts.
    const isCalledOff = outcome && !outcome.isCompleted && lost.aborted;
    if (isCalledOff && isWaitingAt(await this.views.of(job.workflowInstanceId), job)) return false;
    if (!outcome) return this.dropUnlessRepairable(job, message);
    await this.bringBack(job, outcome, message.id, lost);
    return false;
  }

  /**
   * Its time is over, and it has not returned: others have its place, and no shutdown waits for it. It stays among the messages being served,
   * so that only so many of them are in this process. What it returns changes nothing: neither its bookmark nor its message is there.
   */
  private async outlive(late: Promise<unknown>, message: OutboxMessage): Promise<void> {
    this.outbox.callOff(message);
    await ended(late);
  }

  /**
   * An instance that has failed may be repaired, and then waits for this again: it is begun anew (at least once).
   * @returns whether the message is left
   */
  private async dropUnlessRepairable(job: BackgroundJob, message: OutboxMessage): Promise<boolean> {
    const view = await this.views.of(job.workflowInstanceId);
    const isRepairable = view?.instance.subStatus === 'Faulted' && view.parts.hasBookmark(job.bookmarkId);
    // Also when it was repaired in between, and waits.
    const isLeft = isRepairable || isWaitingAt(view, job);
    if (isLeft) await this.putOff(job, message);
    else await this.persistence.outbox.delete(message.id);
    return isLeft;
  }

  private async putOff(job: BackgroundJob, message: OutboxMessage): Promise<void> {
    const age = this.clock.now() - message.createdAt.getTime();
    const { shortestMs, longestMs } = REPAIR_LOOKS;
    await this.outbox.putOff(message, Math.min(Math.max(age / 10, shortestMs), longestMs));
    // A repair that came before that could not find it: it was being served.
    const { workflowInstanceId } = job;
    if (isWaitingAt(await this.views.of(workflowInstanceId), job)) await this.outbox.endPauses(workflowInstanceId);
  }

  private async execute(run: BackgroundRun, { instance, parts }: InstanceView, cutOff: number): Promise<Executed> {
    const { workflowInstanceId: instanceId, activityInstanceId } = run.job;
    const graph = await this.definitions.graph(instance.definitionVersionId);
    this.code.requireComplete(graph);
    const state = parts.take(activityInstanceId);
    const context = state?.activityExecutionContexts.find(({ id }) => id === activityInstanceId);
    if (!state || !context) return {};
    run.node = graph.findByNodeId(context.scheduledActivityNodeId);
    run.definitionId = instance.definitionId;
    const { signal } = run.controller;
    const limitMs = hasOwnTimeout(state, activityInstanceId) ? false : this.options.backgroundTimeoutMs;
    const work = runDetached(this.engine.runner, { graph, instanceId, state, activityInstanceId, cutOff, signal });
    if (limitMs === false) return { outcome: await work };
    return this.inTime(run, work, limitMs, (context.attempt ?? 1) + cutOff);
  }

  /** It fails when its time is over, whether it listens to its signal or not: it may never return. */
  private async inTime(
    run: BackgroundRun,
    work: Promise<BackgroundOutcome | undefined>,
    limitMs: number,
    attempt: number,
  ): Promise<Executed> {
    let cancelTimer: CancelTimer | undefined;
    const over = new Promise<Executed>((resolve) => {
      cancelTimer = this.clock.setTimer(() => {
        const thrown = new BackgroundTimeLimitError(run.job.activityInstanceId, limitMs);
        resolve({ outcome: { attempt, isCompleted: false, error: { thrown } }, late: work });
        this.runs.giveUp(run, thrown);
      }, limitMs);
    });
    try {
      return await Promise.race([work.then((outcome): Executed => ({ outcome })), over]);
    } finally {
      cancelTimer?.();
    }
  }

  private async bringBack(job: BackgroundJob, outcome: BackgroundOutcome, messageId: string, lost: AbortSignal) {
    const { workflowInstanceId, bookmarkId } = job;
    const resume = () =>
      this.executor.resume(
        workflowInstanceId,
        { bookmarkId, transient: [[BACKGROUND_OUTCOME, outcome]] },
        { consumedMessageIds: [messageId], isAdmitted: true },
      );
    for (;;)
      try {
        // The result of hours of work is not lost because the store is out at its end.
        await this.outages.through(resume);
        return;
      } catch (error) {
        // Nor because of conflicts with other nodes on the same instance: each time one of them made progress.
        if (lost.aborted || !isWaymarkError(error, 'WM7001')) throw error;
      }
  }

  /** Those whose bookmark is gone: the activity or its instance was cancelled, perhaps by another node. */
  private async findObsolete(messages: readonly OutboxMessage[]): Promise<string[]> {
    const bookmarkOf = ({ payload }: OutboxMessage) => (payload as BackgroundJob).bookmarkId;
    const rows = await this.persistence.bookmarks.findMany({ ids: messages.map(bookmarkOf) });
    const there = new Set(rows.map(({ id }) => id));
    return messages.filter((message) => !there.has(bookmarkOf(message))).map(({ id }) => id);
  }

  /**
   * An activity that takes its process down each time becomes an incident: its instance must not wait without end. What follows then, such as
   * a catch branch, may end the process as well, so that is left to a message with attempts of its own.
   */
  private async abandon({ id: from, payload, attempts }: OutboxMessage, reason: string): Promise<void> {
    const job = payload as BackgroundJob;
    const abandoned: AbandonedJob = { job, attempts, reason };
    const id = `abandoned/${from}`;
    const message = {
      kind: ABANDONED,
      payload: abandoned,
      workflowInstanceId: job.workflowInstanceId,
      availableAt: new Date(this.clock.now()),
    };
    const rows = this.outbox.prepare([message]);
    // If this process ends now, the first message is given up again, and the other one is known.
    await this.outbox.add(rows.map((row) => ({ ...row, ...this.outbox.sealed(id, message), id })));
    await this.persistence.outbox.delete(from);
  }

  private async fault(message: OutboxMessage): Promise<void> {
    const { job, attempts, reason } = message.payload as AbandonedJob;
    const thrown = new BackgroundActivityAbandonedError(job.activityInstanceId, attempts, reason);
    const outcome: BackgroundOutcome = { cutOff: attempts, isCompleted: false, error: { thrown } };
    try {
      await this.executor.resume(
        job.workflowInstanceId,
        { bookmarkId: job.bookmarkId, transient: [[BACKGROUND_OUTCOME, outcome]] },
        { consumedMessageIds: [message.id] },
      );
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.dropUnlessRepairable(job, message);
    }
  }

  private async park({ id, payload, attempts }: OutboxMessage, reason: string): Promise<void> {
    const { workflowInstanceId, bookmarkId } = (payload as AbandonedJob).job;
    await orLater(this.parking.park(workflowInstanceId, attempts, reason, { bookmarkId }));
    await this.persistence.outbox.delete(id);
  }
}

const ended = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

/** What came of an activity. */
interface Executed {
  /** Undefined: there was nothing to execute. */
  readonly outcome?: BackgroundOutcome | undefined;
  /** Its time is over, and this has not returned. */
  readonly late?: Promise<unknown>;
}

/** It counts from when the activity began to wait, also for a place, and any node ends it. */
function hasOwnTimeout({ bookmarks }: WorkflowState, activityInstanceId: string): boolean {
  return bookmarks.some((each) => each.name === TIMEOUT_BOOKMARK && each.activityInstanceId === activityInstanceId);
}

function isWaitingAt(view: InstanceView | undefined, { bookmarkId }: BackgroundJob): view is InstanceView {
  return view?.instance.status === 'Running' && view.parts.hasBookmark(bookmarkId);
}
