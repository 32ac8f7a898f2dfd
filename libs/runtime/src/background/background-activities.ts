import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import {
  BACKGROUND_BOOKMARK,
  BACKGROUND_MESSAGE,
  BACKGROUND_OUTCOME,
  type BackgroundJob,
  type BackgroundOutcome,
  runDetached,
} from '@waymark/core/adapter';
import { CodeWorkflows } from '../definitions/code-workflows.js';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
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
import { BackgroundActivityAbandonedError } from './background-errors.js';
import { type InstanceView, InstanceViews } from './instance-views.js';

/** How often work whose instance has faulted is looked at again. */
const REPAIR_LOOK_MS = 30_000;

/**
 * Executes activities outside of their bursts, on any node: at least once. What one did is repeated on its instance by the
 * resume of its bookmark, in the commit that consumes the message: exactly once.
 */
@Injectable()
export class BackgroundActivities implements OnModuleInit, OnModuleDestroy {
  /** Activities that are being executed here, by bookmark. */
  private readonly running = new Map<string, AbortController>();
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
      handle: (message, signal) => this.serve(message, signal),
      findObsolete: (messages) => this.findObsolete(messages),
      abandon: (message, error) => this.abandon(message, error),
    });
  }

  onModuleDestroy(): void {
    this.views.clear();
  }

  /** Called for a cancellation on this node: aborts the activity at once, without waiting for the next look at the store. */
  onBookmarksIndexed({ removed }: WorkflowBookmarksIndexed): void {
    for (const { id, name } of removed) if (name === BACKGROUND_BOOKMARK) this.running.get(id)?.abort();
  }

  private async serve(message: OutboxMessage, lost: AbortSignal): Promise<void> {
    const job = message.payload as BackgroundJob;
    // Entered for the whole execution: a shutdown waits for it, and must not refuse its result.
    this.gate.enter();
    const controller = new AbortController();
    this.running.set(job.bookmarkId, controller);
    try {
      const view = await this.views.of(job.workflowInstanceId);
      const signal = AbortSignal.any([controller.signal, lost]);
      const outcome = isWaitingAt(view, job) && (await this.execute(job, view, message.attempts, signal));
      // Called off since another node does it: that it ended so is no fault of the instance. What was completed all the same counts.
      const isCalledOff = outcome && !outcome.isCompleted && lost.aborted;
      if (isCalledOff && isWaitingAt(await this.views.of(job.workflowInstanceId), job)) return;
      if (outcome) await this.bringBack(job, outcome, message.id, lost);
      else await this.dropUnlessRepairable(job, message.id);
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.dropUnlessRepairable(job, message.id);
    } finally {
      this.running.delete(job.bookmarkId);
      this.gate.leave();
    }
  }

  /** An instance that has failed may be repaired, and then waits for this again: it is begun anew (at least once). */
  private async dropUnlessRepairable(job: BackgroundJob, messageId: string): Promise<void> {
    const { outbox } = this.persistence;
    const view = await this.views.of(job.workflowInstanceId);
    const isRepairable = view?.instance.subStatus === 'Faulted' && view.parts.hasBookmark(job.bookmarkId);
    // Also when it was repaired in between, and waits.
    if (!isRepairable && !isWaitingAt(view, job)) await outbox.delete(messageId);
    else await outbox.postpone(messageId, new Date(this.clock.now() + REPAIR_LOOK_MS));
  }

  private async execute(
    { workflowInstanceId: instanceId, activityInstanceId }: BackgroundJob,
    { instance, parts }: InstanceView,
    cutOff: number,
    signal: AbortSignal,
  ): Promise<BackgroundOutcome | undefined> {
    const graph = await this.definitions.graph(instance.definitionVersionId);
    this.code.requireComplete(graph);
    const state = parts.take(activityInstanceId);
    return state && runDetached(this.engine.runner, { graph, instanceId, state, activityInstanceId, cutOff, signal });
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

  /** An activity that takes its process down each time becomes an incident: its instance must not wait without end. */
  private async abandon(message: OutboxMessage, error: string): Promise<void> {
    const job = message.payload as BackgroundJob;
    const { attempts } = message;
    const outcome: BackgroundOutcome = {
      attempt: attempts,
      isCompleted: false,
      error: { thrown: new BackgroundActivityAbandonedError(job.activityInstanceId, attempts, error) },
    };
    try {
      await this.executor.resume(
        job.workflowInstanceId,
        { bookmarkId: job.bookmarkId, transient: [[BACKGROUND_OUTCOME, outcome]] },
        { consumedMessageIds: [message.id] },
      );
    } catch (failure) {
      if (!isGone(failure)) throw failure;
      await this.dropUnlessRepairable(job, message.id);
    }
  }
}

function isWaitingAt(view: InstanceView | undefined, { bookmarkId }: BackgroundJob): view is InstanceView {
  return view?.instance.status === 'Running' && view.parts.hasBookmark(bookmarkId);
}
