import type { WithInput } from '../services/stimulus-services.js';
import { type AnyStimulusType, stimulusNameOf } from '../services/typed-stimuli.js';
import { Injectable } from '@nestjs/common';
import { type Constructor, isWaymarkError } from '@waymark/core';
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
import { given } from '../services/given-members.js';
import { requireStorableStimulus } from '../services/storable-requests.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { IStimulusSender, type SendStimulusResult, type StimulusMetadata } from '../services/stimulus-services.js';
import { startKeyOf } from './start-keys.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/**
 * In the metadata of a stimulus, the key under which one is kept while nothing waits for it. Unlike its `idempotencyKey`, it counts only
 * there, and until what is kept was taken: requests of strangers that may be repeated have one.
 */
export const KEPT_ONCE_AS: unique symbol = Symbol.for('@waymark/runtime:kept-once-as');

/** What became of the workflows that a stimulus triggers. */
interface Starts {
  readonly started: readonly RunInstanceResult[];
  /** Definitions whose activation strategy refused. */
  readonly refused: readonly string[];
  /** How many nodes with their code have to start. */
  readonly left: number;
  /** How many an earlier delivery of the stimulus has started. */
  readonly repeated: number;
  readonly failures: readonly unknown[];
}

const NO_STARTS: Starts = { started: [], refused: [], left: 0, repeated: 0, failures: [] };

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
    named: Constructor | string | AnyStimulusType,
    stimulus: unknown,
    asked: WithInput<StimulusMetadata, unknown> = {},
  ): Promise<SendStimulusResult> {
    const stimulusName = stimulusNameOf(named);
    const metadata = asked as StimulusMetadata;
    requireStorableStimulus(stimulusName, metadata);
    const hash = this.resumer.hashOf(stimulusName, stimulus);
    const filter = waitingFor(hash, metadata);
    const taken = await this.fanOuts.take(filter, metadata);
    // What is stored is for other nodes after a while: it is held from now on.
    const resuming = taken.messages && this.resumer.resumeAll(taken, metadata);
    // Awaited below, unless the triggers cannot be read: then the messages are left to the outbox.
    resuming?.catch(() => undefined);
    const { started, refused, left, repeated, failures } = isAddressed(metadata)
      ? NO_STARTS
      : await this.startTriggered(hash, metadata);
    const resumes = resuming ?? this.resumer.resumeAll(taken, metadata);
    if (failures.length > 0) {
      await resumes.catch(() => undefined);
      throw failures[0];
    }
    const resumed = await resumes;
    const handedOver = taken.handedOver + left;
    const matched = started.length + resumed.length + refused.length + handedOver + repeated > 0;
    const queuedItemId = matched ? undefined : await this.keep(stimulusName, hash, metadata);
    return { started, resumed, handedOver, refused, queuedItemId };
  }

  private keep(stimulusName: string, hash: string, metadata: StimulusMetadata): Promise<string> {
    const item = queueItemOf(stimulusName, hash, metadata);
    const { [KEPT_ONCE_AS]: idempotencyKey } = metadata as { readonly [KEPT_ONCE_AS]?: string };
    if (idempotencyKey === undefined) return this.queue.enqueue(item);
    return this.queue.enqueueOnce({ ...item, idempotencyKey });
  }

  private async startTriggered(hash: string, metadata: StimulusMetadata): Promise<Starts> {
    const started: RunInstanceResult[] = [];
    const refused: string[] = [];
    const failures: unknown[] = [];
    let [left, repeated] = [0, 0];
    for (const trigger of await this.persistence.triggers.findMany({ hash })) {
      try {
        const answer = await this.startOne(trigger, metadata);
        if (answer === 'refused') refused.push(trigger.workflowDefinitionId);
        else if (answer === 'left to others') left++;
        else if (answer === 'started before') repeated++;
        else started.push(answer);
      } catch (error) {
        // Otherwise one definition that cannot be started would keep this stimulus from all others, and from waiting instances.
        failures.push(error);
      }
    }
    return { started, refused, left, repeated, failures };
  }

  private async startOne(
    trigger: StoredTrigger,
    metadata: StimulusMetadata,
  ): Promise<RunInstanceResult | 'refused' | 'left to others' | 'started before'> {
    const { idempotencyKey } = metadata;
    const requestKey = idempotencyKey && (await startKeyOf(this.persistence.instances, idempotencyKey, trigger));
    try {
      const { cannotStart, result } = await this.starter.start({
        definition: { definitionVersionId: trigger.workflowDefinitionVersionId },
        triggerActivityId: trigger.activityId,
        correlationId: metadata.correlationId,
        parentWorkflowInstanceId: metadata.parentWorkflowInstanceId,
        input: metadata.input,
        properties: metadata.properties,
        transient: metadata.transient,
        requestKey,
      });
      if (!cannotStart) return result!;
      this.logger.warn(
        `The activation strategy of "${trigger.workflowDefinitionId}" refused a start by trigger "${trigger.id}".`,
      );
      return 'refused';
    } catch (error) {
      // By an earlier delivery of the same stimulus: were it kept, the instance that it started would take it once more.
      if (isWaymarkError(error, 'WM7007')) return 'started before';
      if (!isWaymarkError(error, 'WM2040')) throw error;
      const message = startBy(trigger, metadata, requestKey, this.engine.newId());
      await this.outbox.handOver(message, error as unknown as WorkflowCodeMissingError);
      return 'left to others';
    }
  }
}

/** A stimulus that nothing waits for. */
export function queueItemOf(stimulusName: string, hash: string, metadata: StimulusMetadata): NewBookmarkQueueItem {
  const { workflowInstanceId, correlationId, activityInstanceId, bookmarkId, input, properties, idempotencyKey } =
    metadata;
  return given({
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

/** A start as a message; with a key, the instance is the one that sending the stimulus would start. */
export function startBy(
  trigger: StoredTrigger,
  metadata: StimulusMetadata,
  requestKey: string | undefined,
  newId: string,
): { kind: string; payload: StartMessage } {
  const { correlationId, parentWorkflowInstanceId, input, properties } = metadata;
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
