import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { activationRule } from '../bursts/activation.js';
import type { StartMessage } from '../bursts/messages.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { CodeWorkflows } from '../definitions/code-workflows.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { DispatchLimits } from '../outbox/dispatch-limits.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { WorkflowDispatcher } from './workflow-dispatcher.js';

/** A start by a trigger, before it is stored. */
export interface TriggeredStart {
  /** The version to start. */
  readonly definitionVersionId: string;
  /** Id of the trigger, which counts as executed. */
  readonly triggerActivityId: string;
  /** What the trigger gives. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** A start whose message is stored with what causes it, and which the node that stored it serves itself. */
export interface HeldStart {
  /** To be stored. */
  readonly message: OutboxMessage;
  /** What the message says, before it is encrypted. */
  readonly payload: StartMessage;
}

/**
 * Starts by messages that this node serves at once, without a place of the outbox: the transaction that claims many occurrences
 * stores them. Should the node die, another serves them as messages of the outbox (W8).
 */
@Injectable()
export class HeldStarts {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly code: CodeWorkflows,
    private readonly limits: DispatchLimits,
    private readonly outbox: OutboxProcessor,
    private readonly dispatcher: WorkflowDispatcher,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {}

  /**
   * Makes the message of a start that this node serves as soon as the claim of the occurrence is stored.
   * @returns undefined where the start may be refused, or has to wait for a place: its own commit has to claim the occurrence then
   * @throws DefinitionNotFoundError, WorkflowCodeMissingError the version cannot be started here
   */
  async prepare({ definitionVersionId, triggerActivityId, input }: TriggeredStart): Promise<HeldStart | undefined> {
    const graph = await this.definitions.graph(definitionVersionId);
    this.code.requireComplete(graph);
    const { definition } = graph;
    if (activationRule(definition, undefined) || this.limits.turnOf(definition.definitionId) !== undefined)
      return undefined;
    const workflowInstanceId = this.engine.newId();
    const payload: StartMessage = {
      definition: { definitionVersionId },
      workflowInstanceId,
      triggerActivityId,
      isOccurrence: true,
      input,
    };
    return { message: this.outbox.prepareHeld({ kind: 'start', payload }), payload };
  }

  /**
   * Serves it, once it is stored. After its head start it is left to the outbox, which may be serving it by then; what is served late
   * is claimed for longer first, or another node would run its activities as well.
   * @throws what kept it from starting; the outbox tries it again
   */
  async serve({ message, payload }: HeldStart): Promise<void> {
    const left = message.availableAt.getTime() - this.clock.now();
    if (left <= 0) return;
    try {
      await this.outbox.holdWhile(message, async () => {
        if (await this.outbox.isOurs(message)) await this.dispatcher.serve({ ...message, payload });
      });
    } catch (error) {
      // Another node was faster.
      if (!isWaymarkError(error, 'WM7004')) throw error;
    }
  }

  /** Leaves a stored one that was not served to the outbox of any node, from that time on. */
  async release({ message }: HeldStart, availableAt: Date): Promise<void> {
    await this.persistence.outbox.postpone(message.id, availableAt, message.writtenBy);
  }
}
