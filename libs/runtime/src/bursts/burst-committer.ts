import { Injectable } from '@nestjs/common';
import {
  type ActivityIncident,
  BACKGROUND_BOOKMARK,
  type WorkflowExecutionContext,
  type WorkflowState,
} from '@waymark/core';
import { BookmarkPatterns } from '../patterns/bookmark-patterns.js';
import { Outbox } from './outbox.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowBookmarksIndexed, WorkflowEvent, WorkflowExecuted } from '../events/workflow-events.js';
import { ValueTooLargeError } from '../persistence/persistence-errors.js';
import type { LoadedInstance, OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { bookmarkChanges, buildCommit, type BurstExtras, NO_JOURNAL } from './burst-commit-builder.js';
import { emitExecuted } from './executed-events.js';
import { finishMessages } from './finish-messages.js';
import type { RunInstanceResult } from '../services/instance-services.js';
import { toResult, UnwrittenResult } from './run-result.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

interface CommitOptions {
  /** The first commit of the instance's first burst. */
  readonly isFirst?: boolean;
  /** The burst goes on. */
  readonly isHalfway?: boolean;
  /** Stored along, and served by the caller. */
  readonly heldMessages?: readonly OutboxMessage[];
}

const NOTHING: readonly never[] = [];

/** Ends bursts, or parts of them: writes what has become of the instance, and then tells whoever has to know. */
@Injectable()
export class BurstCommitter {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly events: WorkflowEventEmitter,
    private readonly outbox: Outbox,
    private readonly patterns: BookmarkPatterns,
  ) {}

  /** Writes the burst as a whole; announces it only then. */
  async commit(
    wec: WorkflowExecutionContext,
    before: LoadedInstance | undefined,
    extras: BurstExtras,
    { isFirst = false, isHalfway = false, heldMessages = NOTHING }: CommitOptions = {},
  ): Promise<RunInstanceResult> {
    const state = this.engine.runner.extract(wec);
    const changes = bookmarkChanges(state, before?.state);
    const journal = wec.journal?.take() ?? NO_JOURNAL;
    const messages = this.outbox.prepare([...wec.takeOutgoing(), ...finishMessages(wec, state, before?.state)], {
      definitionId: state.definitionId,
      ahead: () => changes.unchanged.filter(({ name }) => name === BACKGROUND_BOOKMARK).length,
    });
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
    };
    try {
      await this.persistence.commit(buildCommit(parts));
    } catch (error) {
      throw error instanceof ValueTooLargeError ? error.withNames((id) => variableName(wec, id)) : error;
    }
    this.patterns.announced(patterns);
    if (state.incidents.length > 0) this.logIncidents(state, before?.state.incidents ?? NOTHING);
    if (changes.added.length || changes.removed.length)
      await this.events.emit(
        WorkflowEvent.BookmarksIndexed,
        new WorkflowBookmarksIndexed(wec.id, changes.added, changes.removed, changes.unchanged),
      );
    const executed = () => new WorkflowExecuted(wec.id, state, journal);
    const emitted = emitExecuted(this.events, state.status, isFirst, isHalfway, executed);
    if (emitted) await emitted;
    if (messages.length) this.outbox.deliverSoon(messages);
    for (const task of wec.takeDeferred()) await this.runDeferred(task);
    return toResult(wec, state);
  }

  /** Instead of a commit, when all there is to write is history that nobody keeps. */
  async endUnwritten(wec: WorkflowExecutionContext): Promise<RunInstanceResult> {
    let state: WorkflowState | undefined;
    const stateOf = () => (state ??= this.engine.runner.extract(wec));
    const executed = () => new WorkflowExecuted(wec.id, stateOf(), wec.journal?.take() ?? NO_JOURNAL);
    const emitted = emitExecuted(this.events, wec.status, true, false, executed);
    if (emitted) await emitted;
    for (const task of wec.takeDeferred()) await this.runDeferred(task);
    return new UnwrittenResult(wec, stateOf);
  }

  /** Each once, when it is stored: whoever was answered with no more than a status finds the reason in the log. */
  private logIncidents(
    { id, definitionId, definitionVersion, incidents }: WorkflowState,
    known: readonly ActivityIncident[],
  ): void {
    const keyOf = ({ activityInstanceId, timestamp }: ActivityIncident) =>
      `${activityInstanceId} ${timestamp.getTime()}`;
    const logged = new Set(known.map(keyOf));
    for (const incident of incidents)
      if (!logged.has(keyOf(incident)))
        this.logger.warn(
          `Instance "${id}" of workflow "${definitionId}" (version ${definitionVersion}) has an incident at activity ` +
            `"${incident.activityNodeId}" (${incident.activityType}): ${incident.message}`,
        );
  }

  private async runDeferred(task: () => unknown): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.logger.error(`A task that an activity deferred failed: ${String((error as Error)?.stack ?? error)}`);
    }
  }
}

function variableName({ contexts }: WorkflowExecutionContext, id: string): string | undefined {
  for (const { slots = [] } of contexts.values())
    for (const { variable } of slots) if (variable.id === id) return variable.definition.name;
  return undefined;
}
