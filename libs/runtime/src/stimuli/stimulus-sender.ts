import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { BookmarkResumer } from '../bookmarks/bookmark-resumer.js';
import { FanOuts } from '../bookmarks/fan-outs.js';
import { IBookmarkQueue } from '../services/bookmark-services.js';
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
  ) {
    super();
  }

  async send(stimulusName: string, stimulus: unknown, metadata: StimulusMetadata = {}): Promise<SendStimulusResult> {
    requireStorableStimulus(stimulusName, metadata);
    const hash = this.resumer.hashOf(stimulusName, stimulus);
    const filter = waitingFor(hash, metadata);
    const taken = await this.fanOuts.take(filter, metadata);
    // What is stored is for other nodes after a while: it is held from now on.
    const resuming = taken.messages && this.resumer.resumeAll(taken, metadata);
    // Awaited below, unless a start fails: then the messages are left to the outbox.
    resuming?.catch(() => undefined);
    const { started, refused } = isAddressed(metadata)
      ? { started: [], refused: [] }
      : await this.startTriggered(hash, metadata);
    const resumed = await (resuming ?? this.resumer.resumeAll(taken, metadata));
    const { handedOver } = taken;
    const matched = started.length + resumed.length + refused.length + handedOver > 0;
    const queuedItemId = matched ? undefined : await this.keep(stimulusName, hash, metadata);
    return { started, resumed, handedOver, refused, queuedItemId };
  }

  private keep(stimulusName: string, hash: string, metadata: StimulusMetadata): Promise<string> {
    const { workflowInstanceId, correlationId, activityInstanceId, bookmarkId, input, properties, idempotencyKey } =
      metadata;
    return this.queue.enqueue({
      stimulusHash: hash,
      activityTypeName: stimulusName,
      workflowInstanceId,
      correlationId,
      activityInstanceId,
      bookmarkId,
      input,
      properties,
      idempotencyKey,
    });
  }

  private async startTriggered(
    hash: string,
    metadata: StimulusMetadata,
  ): Promise<{ started: RunInstanceResult[]; refused: string[] }> {
    const started: RunInstanceResult[] = [];
    const refused: string[] = [];
    for (const trigger of await this.persistence.triggers.findMany({ hash })) {
      const answer = await this.startOne(trigger, metadata);
      if (answer === 'refused') refused.push(trigger.workflowDefinitionId);
      else if (answer) started.push(answer);
    }
    return { started, refused };
  }

  private async startOne(
    trigger: StoredTrigger,
    metadata: StimulusMetadata,
  ): Promise<RunInstanceResult | 'refused' | undefined> {
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
      if (isWaymarkError(error, 'WM7007')) return undefined;
      throw error;
    }
  }
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
