import { Inject, Injectable } from '@nestjs/common';
import {
  type ActivityIncident,
  isWaymarkError,
  type WorkflowExecutionContext,
  type WorkflowState,
} from '@waymark/core';
import { BACKGROUND_BOOKMARK, isPromiseLike, type OutgoingMessage } from '@waymark/core/adapter';
import { hasLeftKey } from './activation.js';
import { BookmarkPatterns } from '../patterns/bookmark-patterns.js';
import { Outbox } from './outbox.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowBookmarksIndexed, WorkflowEvent, WorkflowExecuted } from '../events/workflow-events.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { ValueTooLargeError } from '../persistence/persistence-errors.js';
import type { LoadedInstance, OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import {
  type BookmarkChanges,
  bookmarkChanges,
  FoundChanges,
  buildCommit,
  type BurstExtras,
  NO_JOURNAL,
} from './burst-commit-builder.js';
import { loopTurns } from '../event-loop/loop-turns.js';
import { emitExecuted } from './executed-events.js';
import { FaultLog } from './fault-log.js';
import { finishMessages } from './finish-messages.js';
import { isLarge } from './large-state.js';
import type { RunInstanceResult } from '../services/instance-services.js';
import { toResult, UnwrittenResult } from './run-result.js';
import { type TaskParts, type TasksOfCommit, concernsTasks, userTaskChanges } from './user-task-changes.js';
import { inWordsOfWorkflow } from './unstorable-words.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

interface CommitOptions {
  /** The first commit of the instance's first burst. */
  readonly isFirst?: boolean;
  /** The burst continues. */
  readonly isHalfway?: boolean;
  /** If true, this node continues with it: should its process end, the others need not wait for a sign of life. */
  readonly isExecutedHere?: boolean;
  /** Stored along, and served by the caller. */
  readonly heldMessages?: readonly OutboxMessage[];
}

const NOTHING: readonly never[] = [];

/** Ends bursts, or parts of them: writes what has become of the instance, and then announces it. */
@Injectable()
export class BurstCommitter {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly events: WorkflowEventEmitter,
    private readonly outbox: Outbox,
    private readonly patterns: BookmarkPatterns,
    private readonly faults: FaultLog,
    @Inject(RUNTIME_OPTIONS) private readonly options: Pick<ResolvedRuntimeOptions, 'nodeName'>,
  ) {}

  /** Writes the burst as a whole; announces it only then. */
  async commit(
    wec: WorkflowExecutionContext,
    before: LoadedInstance | undefined,
    extras: BurstExtras,
    { isFirst = false, isHalfway = false, isExecutedHere = false, heldMessages = NOTHING }: CommitOptions = {},
  ): Promise<RunInstanceResult> {
    const turn = loopTurns.goOn();
    if (turn) await turn;
    const taken = this.engine.runner.extractPaced(wec);
    const state = isPromiseLike(taken) ? await taken : taken;
    const taking = this.engine.runner.takeJournal(wec);
    const journal = (isPromiseLike(taking) ? await taking : taking) ?? NO_JOURNAL;
    const outgoing = outgoingOf(wec, state, before?.state);
    const isSliced = isLarge(state) || (before !== undefined && isLarge(before.state));
    if (isSliced) await this.engine.runner.engine.yield?.();
    const changes = bookmarkChanges(state, before?.state);
    const tasks = this.tasksOf(wec, { state, changes, outgoing }, before);
    const messages = this.prepared(tasks ? [...outgoing, ...tasks.messages] : outgoing, state, changes);
    if (isSliced) await this.engine.runner.engine.yield?.();
    const outbox = heldMessages.length ? [...messages, ...heldMessages] : messages;
    const patterns = this.patterns.unannounced(changes.added);
    const parts = {
      state,
      before,
      changes,
      usedBookmarkIds: wec.consumedBookmarkIds,
      patterns,
      journal,
      outbox,
      extras,
      userTasks: tasks?.changes,
      executedBy: isExecutedHere ? this.options.nodeName : undefined,
      releasesActivationKey: hasLeftKey(
        wec.graph.definition,
        before ? before.correlationId : extras.correlationId,
        state.correlationId,
      ),
    };
    try {
      await this.persistence.commit(buildCommit(parts));
    } catch (error) {
      if (isWaymarkError(error, 'WM1102')) throw inWordsOfWorkflow(error, wec, state, journal);
      throw error instanceof ValueTooLargeError ? error.withNames((id) => variableName(wec, id)) : error;
    }
    this.patterns.announced(patterns);
    if (state.incidents.length > 0) this.logIncidents(wec, before?.state.incidents ?? NOTHING);
    for (const attempt of wec.failedAttempts.splice(0)) this.faults.willRetry(wec, attempt);
    if (changes.added.length || changes.removed.length) {
      const unchanged = changes instanceof FoundChanges ? () => changes.unchanged : changes.unchanged;
      const indexed = new WorkflowBookmarksIndexed(wec.id, changes.added, changes.removed, unchanged);
      const heard = this.events.emit(WorkflowEvent.BookmarksIndexed, indexed);
      if (heard) await heard;
    }
    const executed = () => new WorkflowExecuted(wec.id, state, journal);
    const emitted = emitExecuted(this.events, state.status, isFirst, isHalfway, executed);
    if (emitted) await emitted;
    if (messages.length) this.outbox.deliverSoon(messages);
    for (const task of wec.takeDeferred()) await this.runDeferred(wec, task);
    return toResult(wec, state);
  }

  private prepared(
    outgoing: readonly OutgoingMessage[],
    { definitionId }: WorkflowState,
    changes: BookmarkChanges,
  ): readonly OutboxMessage[] {
    if (outgoing.length === 0) return NOTHING;
    const ahead = (): number => changes.unchanged.filter(({ name }) => name === BACKGROUND_BOOKMARK).length;
    return this.outbox.prepare(outgoing, { definitionId, ahead });
  }

  private tasksOf(
    wec: WorkflowExecutionContext,
    parts: Pick<TaskParts, 'state' | 'changes' | 'outgoing'>,
    before: LoadedInstance | undefined,
  ): TasksOfCommit | undefined {
    const { state, changes, outgoing } = parts;
    if (!concernsTasks(changes)) return undefined;
    return userTaskChanges({
      state,
      changes,
      outgoing,
      mayReopen: before !== undefined && before.status !== 'Running',
      payloadOf: ({ id, payload }) => wec.bookmarks.get(id)?.payload ?? payload,
      newId: this.engine.newId,
    });
  }

  /** Instead of a commit, when all there is to write is history that is not kept. */
  async endUnwritten(wec: WorkflowExecutionContext): Promise<RunInstanceResult> {
    let state: WorkflowState | undefined;
    const stateOf = () => (state ??= this.engine.runner.extract(wec));
    const executed = () => new WorkflowExecuted(wec.id, stateOf(), wec.journal?.take() ?? NO_JOURNAL);
    const emitted = emitExecuted(this.events, wec.status, true, false, executed);
    if (emitted) await emitted;
    for (const task of wec.takeDeferred()) await this.runDeferred(wec, task);
    return new UnwrittenResult(wec, stateOf);
  }

  /** Logs each incident once, when it is stored: a caller may receive no more than a status. */
  private logIncidents(wec: WorkflowExecutionContext, known: readonly ActivityIncident[]): void {
    const keyOf = ({ activityInstanceId, timestamp }: ActivityIncident) =>
      `${activityInstanceId} ${timestamp.getTime()}`;
    const logged = new Set(known.map(keyOf));
    for (const incident of wec.incidents) if (!logged.has(keyOf(incident))) this.faults.faulted(wec, incident);
  }

  private async runDeferred({ secrets }: WorkflowExecutionContext, task: () => unknown): Promise<void> {
    try {
      await task();
    } catch (error) {
      const text = secrets.shownError(String((error as Error)?.stack ?? error));
      this.logger.error(`A deferred task of an activity failed: ${text}`);
    }
  }
}

function variableName({ contexts }: WorkflowExecutionContext, id: string): string | undefined {
  for (const { slots = [] } of contexts.values())
    for (const { variable } of slots) if (variable.id === id) return variable.definition.name;
  return undefined;
}

/** The instance's own, which are handed out once, and what follows from its end. */
function outgoingOf(
  wec: WorkflowExecutionContext,
  state: WorkflowState,
  before: WorkflowState | undefined,
): readonly OutgoingMessage[] {
  const atEnd = finishMessages(wec, state, before);
  return wec.outgoing.length > 0 ? [...wec.takeOutgoing(), ...atEnd] : atEnd;
}
