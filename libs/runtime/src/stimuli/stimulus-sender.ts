import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { BookmarkResumer } from '../bookmarks/bookmark-resumer.js';
import { IBookmarkQueue } from '../bookmarks/bookmark-services.js';
import type { StimulusMessage } from '../dispatch/messages.js';
import { OutboxProcessor } from '../dispatch/outbox-processor.js';
import { IWorkflowStarter, type RunInstanceResult } from '../instances/instance-services.js';
import type { OutboxMessage, StoredTrigger } from '../persistence/records.js';
import { requireStorableStimulus } from '../persistence/storable-rows.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import {
  IStimulusDispatcher,
  IStimulusSender,
  type SendStimulusResult,
  type StimulusMetadata,
} from './stimulus-services.js';

/**
 * Bookmarks are looked up before workflows are started, so that a workflow started by a stimulus which then waits for the
 * same one is not resumed by it: a stimulus is consumed once.
 */
@Injectable()
export class StimulusSender extends IStimulusSender {
  private readonly logger = new Logger('Workflow');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly resumer: BookmarkResumer,
    private readonly starter: IWorkflowStarter,
    private readonly queue: IBookmarkQueue,
  ) {
    super();
  }

  async send(stimulusName: string, stimulus: unknown, metadata: StimulusMetadata = {}): Promise<SendStimulusResult> {
    requireStorableStimulus(stimulusName, metadata);
    const hash = this.resumer.hashOf(stimulusName, stimulus);
    const { workflowInstanceId, correlationId, activityInstanceId, bookmarkId } = metadata;
    const waiting = await this.persistence.bookmarks.findMany({
      hash,
      workflowInstanceId,
      correlationId,
      activityInstanceId,
      ids: bookmarkId === undefined ? undefined : [bookmarkId],
    });
    const addressed = workflowInstanceId !== undefined || activityInstanceId !== undefined || bookmarkId !== undefined;
    const { started, refused } = addressed ? { started: [], refused: [] } : await this.startTriggered(hash, metadata);
    const resumed = await this.resumer.resumeRows(waiting, metadata);
    const matched = started.length + resumed.length + refused.length > 0;
    const queuedItemId = matched ? undefined : await this.keep(stimulusName, hash, metadata);
    return { started, resumed, refused, queuedItemId };
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

@Injectable()
export class StimulusDispatcher extends IStimulusDispatcher implements OnModuleInit {
  constructor(
    private readonly outbox: OutboxProcessor,
    private readonly sender: IStimulusSender,
    private readonly persistence: WorkflowPersistence,
  ) {
    super();
  }

  onModuleInit(): void {
    this.outbox.register({ kind: 'stimulus', handle: (message) => this.serve(message) });
  }

  async dispatch(name: string, stimulus: unknown, metadata: Omit<StimulusMetadata, 'transient'> = {}): Promise<void> {
    requireStorableStimulus(name, metadata);
    await this.outbox.send([{ kind: 'stimulus', payload: { name, stimulus, metadata } satisfies StimulusMessage }]);
  }

  private async serve(message: OutboxMessage): Promise<void> {
    const { name, stimulus, metadata } = message.payload as StimulusMessage;
    // A repeated delivery must not start a second instance or queue the stimulus twice.
    await this.sender.send(name, stimulus, { ...metadata, idempotencyKey: metadata.idempotencyKey ?? message.id });
    await this.persistence.outbox.delete(message.id);
  }
}
