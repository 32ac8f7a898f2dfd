import type { WithInput } from '../services/stimulus-services.js';
import { nameOf } from '../services/typed-stimuli.js';
import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { BookmarkResumer } from '../bookmarks/bookmark-resumer.js';
import { FanOuts } from '../bookmarks/fan-outs.js';
import type { StartMessage } from '../bursts/messages.js';
import { idOfRequest } from '../engine/request-id.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import type { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { IBookmarkQueue, type NewBookmarkQueueItem } from '../services/bookmark-services.js';
import { IWorkflowStarter, type RunInstanceResult } from '../services/instance-services.js';
import type { BookmarkFilter } from '../persistence/lookup-stores.js';
import type { StoredTrigger } from '../persistence/records.js';
import { requireStorableStimulus } from '../services/storable-requests.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { IStimulusSender, type SendStimulusResult, type StimulusMetadata } from '../services/stimulus-services.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/**
 * Bookmarks are looked up before workflows are started, so that a workflow started by a stimulus which then waits for the
 * same one is not resumed by it: a stimulus is consumed once.
 */
@Injectable()
export class StimulusSender extends IStimulusSender {
  private readonly logger = new WorkflowLogger('Workflow');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly fanOuts: FanOuts,
    private readonly starter: IWorkflowStarter,
    private readonly queue: IBookmarkQueue,
    private readonly outbox: OutboxProcessor,
    private readonly engine: WorkflowEngine,
  ) {
    super();
  }

  async send(
    named: string | { readonly name: string },
    stimulus: unknown,
    given: WithInput<StimulusMetadata, unknown> = {},
  ): Promise<SendStimulusResult> {
    const stimulusName = nameOf(named);
    const metadata = given as StimulusMetadata;
    requireStorableStimulus(stimulusName, metadata);
    const hash = this.resumer.hashOf(stimulusName, stimulus);
    const filter = waitingFor(hash, metadata);
    const taken = await this.fanOuts.take(filter, metadata);
    // What is stored is for other nodes after a while: it is held from now on.
    const resuming = taken.messages && this.resumer.resumeAll(taken, metadata);
    // Awaited below, unless a start fails: then the messages are left to the outbox.
    resuming?.catch(() => undefined);
    const { started, refused, left, known } = isAddressed(metadata)
      ? { started: [], refused: [], left: 0, known: 0 }
      : await this.startTriggered(hash, metadata);
    const resumed = await (resuming ?? this.resumer.resumeAll(taken, metadata));
    const handedOver = taken.handedOver + left;
    // What was started when it was sent before counts: kept, it would resume whatever waits for the same one later.
    const matched = started.length + resumed.length + refused.length + handedOver + known > 0;
    const queuedItemId = matched ? undefined : await this.keep(stimulusName, hash, metadata);
    return { started, resumed, handedOver, refused, queuedItemId };
  }

  private keep(stimulusName: string, hash: string, metadata: StimulusMetadata): Promise<string> {
    return this.queue.enqueue(queueItemOf(stimulusName, hash, metadata));
  }

  private async startTriggered(
    hash: string,
    metadata: StimulusMetadata,
  ): Promise<{ started: RunInstanceResult[]; refused: string[]; left: number; known: number }> {
    const started: RunInstanceResult[] = [];
    const refused: string[] = [];
    let [left, known] = [0, 0];
    for (const trigger of await this.persistence.triggers.findMany({ hash })) {
      const answer = await this.startOne(trigger, metadata);
      if (answer === 'refused') refused.push(trigger.workflowDefinitionId);
      else if (answer === 'left to others') left++;
      else if (answer === 'known') known++;
      else if (answer) started.push(answer);
    }
    return { started, refused, left, known };
  }

  private async startOne(
    trigger: StoredTrigger,
    metadata: StimulusMetadata,
  ): Promise<RunInstanceResult | 'refused' | 'left to others' | 'known' | undefined> {
    try {
      const { cannotStart, result } = await this.starter.start({
        definition: { definitionVersionId: trigger.workflowDefinitionVersionId },
        triggerActivityId: trigger.activityId,
        correlationId: metadata.correlationId,
        parentWorkflowInstanceId: metadata.parentWorkflowInstanceId,
        input: metadata.input,
        properties: metadata.properties,
        transient: metadata.transient,
        requestKey: metadata.idempotencyKey && `${metadata.idempotencyKey}/${trigger.id}`,
      });
      if (!cannotStart) return result;
      this.logger.warn(
        `The activation strategy of "${trigger.workflowDefinitionId}" refused a start by trigger "${trigger.id}".`,
      );
      return 'refused';
    } catch (error) {
      // Started by an earlier delivery of the same stimulus.
      if (isWaymarkError(error, 'WM7007')) return 'known';
      if (!isWaymarkError(error, 'WM2040')) throw error;
      const message = startBy(trigger, metadata, this.engine.newId());
      await this.outbox.handOver(message, error as unknown as WorkflowCodeMissingError);
      return 'left to others';
    }
  }
}

/** A stimulus that nothing waits for. */
export function queueItemOf(stimulusName: string, hash: string, metadata: StimulusMetadata): NewBookmarkQueueItem {
  const { workflowInstanceId, correlationId, activityInstanceId, bookmarkId, input, properties, idempotencyKey } =
    metadata;
  return {
    stimulusHash: hash,
    activityTypeName: stimulusName,
    workflowInstanceId,
    correlationId,
    activityInstanceId,
    bookmarkId,
    input,
    properties,
    idempotencyKey,
  };
}

/** A start as a message; with a key, the instance is the one that sending the stimulus would start. */
export function startBy(
  trigger: StoredTrigger,
  metadata: StimulusMetadata,
  newId: string,
): { kind: string; payload: StartMessage } {
  const { correlationId, parentWorkflowInstanceId, input, properties, idempotencyKey } = metadata;
  const requestKey = idempotencyKey && `${idempotencyKey}/${trigger.id}`;
  const payload: StartMessage = {
    definition: { definitionVersionId: trigger.workflowDefinitionVersionId },
    workflowInstanceId: requestKey ? idOfRequest(requestKey) : newId,
    triggerActivityId: trigger.activityId,
    correlationId,
    parentWorkflowInstanceId,
    input,
    properties,
    requestKey,
  };
  return { kind: 'start', payload };
}

/** An instance or activity is meant: nothing is started. */
export function isAddressed({ workflowInstanceId, activityInstanceId, bookmarkId }: StimulusMetadata): boolean {
  return workflowInstanceId !== undefined || activityInstanceId !== undefined || bookmarkId !== undefined;
}

export function waitingFor(hash: string, metadata: StimulusMetadata): BookmarkFilter {
  const { workflowInstanceId, correlationId, activityInstanceId, bookmarkId } = metadata;
  const ids = bookmarkId === undefined ? undefined : [bookmarkId];
  return { hash, workflowInstanceId, correlationId, activityInstanceId, ids };
}
