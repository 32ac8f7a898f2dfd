import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { LruCache } from '../definitions/definition-cache.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { InstanceParking } from '../instances/instance-parking.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import type { OutboxMessage } from '../persistence/records.js';
import { startedInputs } from '../bursts/started-inputs.js';
import { requireStorableStart } from '../services/storable-requests.js';
import { InstanceExistsError } from '../services/instance-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { ChildReports } from '../children/child-reports.js';
import { DispatchLimits } from '../outbox/dispatch-limits.js';
import { type DispatchDefinitionRequest, IWorkflowDispatcher } from '../services/dispatch-services.js';
import { isGone } from '../bookmarks/bookmark-resumer.js';
import {
  endedWithout,
  type ParentBookmark,
  reportToParent,
  type RunMessage,
  type StartMessage,
} from '../bursts/messages.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { otherUser } from './taken-ids.js';
import { isRefusedByNode } from '../outbox/refused-by-node.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Versions of limited definitions that are known by their ids. */
const VERSIONS = 1000;
/** Starts that are stored in one transaction, and characters of their inputs together. */
const MOST_AT_ONCE = 200;
const CHARS_AT_ONCE = 500_000;

@Injectable()
export class WorkflowDispatcher extends IWorkflowDispatcher implements OnModuleInit {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');
  /** By version id: where the starts of a limited definition wait. */
  private readonly turns = new LruCache<number>(VERSIONS);

  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly executor: BurstExecutor,
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly parking: InstanceParking,
    private readonly limits: DispatchLimits,
    private readonly reports: ChildReports,
  ) {
    super();
  }

  onModuleInit(): void {
    this.outbox.register({
      kind: 'start',
      waitsAt: (payload) => this.waitsAt(payload as StartMessage),
      handle: (message) => this.serveWithinLimit(message),
      abandon: (message, error) => this.abandonStart(message, error),
    });
    this.outbox.register({
      kind: 'run',
      handle: (message) => this.run(message),
      abandon: async ({ id, payload, attempts }, error) => {
        const { workflowInstanceId, ...start } = payload as RunMessage;
        await this.parking.park(workflowInstanceId, attempts, error, { start });
        await this.persistence.outbox.delete(id);
      },
    });
  }

  async dispatch(request: DispatchDefinitionRequest): Promise<string> {
    const definition = await this.definitions.require(request.definition);
    this.noteTurn(definition);
    const payload = this.startOf(definition, request);
    const { workflowInstanceId: id, parentWorkflowInstanceId } = request;
    // When the message is served, no caller could be notified.
    if (id !== undefined && parentWorkflowInstanceId === undefined)
      if ((await otherUser(this.persistence.instances, id, definition.definitionId)) !== undefined)
        throw new InstanceExistsError(id);
    await this.outbox.send([{ kind: 'start', payload }]);
    return payload.workflowInstanceId;
  }

  async dispatchMany(request: Omit<DispatchDefinitionRequest, 'workflowInstanceId'>, count: number): Promise<string[]> {
    const definition = await this.definitions.require(request.definition);
    this.noteTurn(definition);
    const ids: string[] = [];
    const inputChars = lengthOf(request.input);
    const most = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor(CHARS_AT_ONCE / (1 + inputChars))));
    while (ids.length < count) {
      // Where the store answers without leaving the process, all of them would be one turn of the event loop.
      await nextTurn();
      const starts = Array.from({ length: Math.min(most, count - ids.length) }, () =>
        this.startOf(definition, request),
      );
      await this.outbox.send(starts.map((payload) => ({ kind: 'start', payload })));
      for (const { workflowInstanceId } of starts) ids.push(workflowInstanceId);
    }
    return ids;
  }

  private startOf(definition: LoadedDefinition, request: DispatchDefinitionRequest): StartMessage {
    const workflowInstanceId = request.workflowInstanceId ?? this.engine.newId();
    // Checked now: when the message is served, no caller could be notified.
    requireStorableStart(workflowInstanceId, request);
    const input = startedInputs(definition, request, request, this.engine.types);
    // The version is fixed now: what is published between dispatch and start does not change what was asked for.
    return {
      ...request,
      ...(input && { input }),
      definition: { definitionVersionId: definition.id },
      workflowInstanceId,
    };
  }

  /** Without a place it goes back, uncounted, to wait for one: this node's, or another one's. */
  private async serveWithinLimit(message: OutboxMessage): Promise<void> {
    if (!this.limits.areSet) return this.serve(message);
    const found = await this.definitions.find((message.payload as StartMessage).definition);
    const turn = found && this.noteTurn(found);
    if (turn === undefined || this.outbox.admits(message, turn)) return this.serve(message);
    this.outbox.letWait(message, turn);
  }

  private noteTurn({ id, definitionId }: LoadedDefinition): number | undefined {
    const turn = this.limits.turnOf(definitionId);
    if (turn !== undefined) this.turns.set(id, turn);
    return turn;
  }

  /** Of a version that is not known yet, the first start is served like any other, and waits then. */
  private waitsAt({ definition }: StartMessage): number | undefined {
    if (typeof definition === 'string' || !('definitionVersionId' in definition)) return undefined;
    const turn = this.turns.get(definition.definitionVersionId);
    return turn !== undefined && this.outbox.mustWaitAt(turn) ? turn : undefined;
  }

  /**
   * Starts the instance that a message asks for, and uses the message up.
   * @param message readable: not encrypted; of a start, or of a stimulus that is one
   */
  async serve(message: OutboxMessage): Promise<void> {
    const request = message.payload as StartMessage;
    const { triggerActivityId, schedulingActivityExecutionId, schedulingWorkflowInstanceId, callStackDepth } = request;
    try {
      await this.executor.create(
        request.workflowInstanceId,
        request,
        { triggerActivityId, schedulingActivityExecutionId, schedulingWorkflowInstanceId, callStackDepth },
        { consumedMessageIds: [message.id], isListedWhenLong: triggerActivityId !== undefined },
      );
    } catch (error) {
      // A stimulus is for others as well: tried again, it finds no trigger of that definition any more.
      if (isWaymarkError(error, 'WM1020') && message.kind !== 'stimulus')
        return this.withoutDefinition(message, error.message);
      // Started by an earlier delivery or request, or refused by the activation strategy: no delivery helps.
      if (!['WM3002', 'WM7005', 'WM7007'].some((code) => isWaymarkError(error, code))) throw error;
      if (isWaymarkError(error, 'WM7005')) {
        if (triggerActivityId !== undefined || request.scheduleId !== undefined)
          this.logger.warn(refusalOf(request, error.message));
        await this.tellParent(request);
      }
      if (isWaymarkError(error, 'WM3002') && (await this.isTakenByOther(request))) {
        this.logger.error(
          `Workflow instance "${request.parentWorkflowInstanceId}" could not start its child: instance "${request.workflowInstanceId}" ` +
            'is not a child of it, and has the id. The parent continues as if its child had faulted.',
        );
        await this.tellParent(request);
      } else if (isWaymarkError(error, 'WM3002')) {
        if (await this.joinStarted(request, message)) return;
        await this.warnOfOther(request);
      }
      await this.persistence.outbox.delete(message.id);
    }
  }

  /** The id of a child can be computed: a caller from outside may have started something else under it. */
  private async isTakenByOther({ parentWorkflowInstanceId, workflowInstanceId }: StartMessage): Promise<boolean> {
    return (
      parentWorkflowInstanceId !== undefined &&
      !(await this.reports.isChild(workflowInstanceId, parentWorkflowInstanceId))
    );
  }

  /** Dispatched at the same time as what has the id now. */
  private async warnOfOther({ workflowInstanceId, definition, parentWorkflowInstanceId }: StartMessage): Promise<void> {
    const wanted = parentWorkflowInstanceId === undefined ? await this.definitions.find(definition) : undefined;
    const other = wanted && (await otherUser(this.persistence.instances, workflowInstanceId, wanted.definitionId));
    if (other === undefined) return;
    this.logger.warn(
      `Workflow "${wanted!.definitionId}" was not started as instance "${workflowInstanceId}": an instance of "${other}" has that id. ` +
        'Dispatch it with another id.',
    );
  }

  /** A parent that runs its activity again waits for the children of the first time. False when no parent waits. */
  private async joinStarted(request: StartMessage, message: OutboxMessage): Promise<boolean> {
    const { properties, parentWorkflowInstanceId, workflowInstanceId: childInstanceId } = request;
    const waiting = properties?.ParentBookmark as ParentBookmark | undefined;
    if (!waiting || !parentWorkflowInstanceId) return false;
    await this.reports.join({ ...waiting, workflowInstanceId: parentWorkflowInstanceId, childInstanceId }, message);
    return true;
  }

  /**
   * Its definition is gone. That may be a mistake: when it is back, the message can be replayed. Not that of a trigger, which went with
   * the definition: the next occurrence would not have come either.
   */
  private async withoutDefinition(message: OutboxMessage, reason: string): Promise<void> {
    const { isOccurrence, triggerActivityId, input } = message.payload as StartMessage;
    if (isOccurrence) {
      const time = input?.ScheduledAt instanceof Date ? ` ${input.ScheduledAt.toISOString()}` : '';
      this.logger.log(
        `The occurrence${time} of trigger '${triggerActivityId}' starts nothing: its workflow was deleted after it had been claimed. ${reason}`,
      );
      await this.persistence.outbox.delete(message.id);
      return;
    }
    this.logger.error(
      `Message ${message.id} (${message.kind}) became a dead letter. Replay it once the cause is fixed: ${reason}`,
    );
    await this.tellParent(message.payload as StartMessage);
    await this.persistence.outbox.moveToDeadLetters(message.id, reason);
  }

  /** What cannot become an instance, whose end is reported to its parent, stays as a message. */
  private async abandonStart(message: OutboxMessage, reason: string): Promise<void> {
    const request = message.payload as StartMessage;
    try {
      await this.parking.parkStart(request, message, reason);
    } catch (error) {
      // Another node came through with it after all.
      if (isWaymarkError(error, 'WM7004')) return;
      // It is tried again, and may start after all.
      if (!isRefusedByNode(error) && !isStoreOutage(error)) await this.tellParent(request);
      throw error;
    }
  }

  /** A parent that waits for a child which cannot start would wait without end. */
  private async tellParent({ properties, parentWorkflowInstanceId, workflowInstanceId }: StartMessage): Promise<void> {
    const waiting = properties?.ParentBookmark as ParentBookmark | undefined;
    if (!waiting || !parentWorkflowInstanceId) return;
    const payload = reportToParent(parentWorkflowInstanceId, waiting, endedWithout(workflowInstanceId, 'Faulted'));
    await this.outbox.send([{ kind: 'resume', payload }]);
  }

  /** An instance whose first burst was cut off by a crash. */
  private async run(message: OutboxMessage): Promise<void> {
    const { workflowInstanceId, triggerActivityId, input } = message.payload as RunMessage;
    try {
      await this.executor.resume(
        workflowInstanceId,
        { triggerActivityId, input },
        { consumedMessageIds: [message.id] },
      );
    } catch (error) {
      if (!isGone(error)) throw error;
      await this.persistence.outbox.delete(message.id);
    }
  }
}

/** By a trigger, no caller is answered. */
function refusalOf({ scheduleId, triggerActivityId, workflowInstanceId }: StartMessage, reason: string): string {
  const starter = scheduleId === undefined ? `trigger '${triggerActivityId}'` : `schedule '${scheduleId}'`;
  return `Instance '${workflowInstanceId}' was not started by ${starter}: the activation strategy of its workflow allows no other one. ${reason}`;
}

/** As JSON, which is about what is stored. What JSON does not know is taken for long. */
function lengthOf(input: unknown): number {
  try {
    return input === undefined ? 0 : JSON.stringify(input).length;
  } catch {
    return CHARS_AT_ONCE;
  }
}
