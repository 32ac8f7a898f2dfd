import { Injectable } from '@nestjs/common';
import { type Constructor } from '@waymark/core';
import { type OutgoingMessage, toErrorLike } from '@waymark/core/adapter';
import { type AnyStimulusType, nameOf, stimulusNameOf, type WorkflowEventType } from '../services/typed-stimuli.js';
import { BookmarkResumer } from '../bookmarks/bookmark-resumer.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { WorkflowClock } from '../clock/workflow-clock.js';
import type { ResumeBookmarkMessage, ResumeWaitingMessage, StartMessage, StimulusMessage } from '../bursts/messages.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import type { EnlistedOutbox } from '../persistence/enlisted-outbox.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import { startedInputs } from '../bursts/started-inputs.js';
import { requireStorableStart, requireStorableStimulus } from '../services/storable-requests.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { EVENT_STIMULUS, eventMetadata, eventStimulus, withOwnKey } from '../stimuli/event-publisher.js';
import type { PublishEventOptions } from '../services/stimulus-services.js';
import {
  IWorkflowTransactions,
  type TransactionalResume,
  type TransactionalStart,
  type TransactionalStartOptions,
  type TransactionalWorkflows,
  type TransactionSource,
} from '../services/transaction-services.js';
import type { WorkflowClass } from '../services/typed-workflows.js';
import { NotAWorkflowError } from '../services/instance-errors.js';
import { definitionIdOf } from '../code-first/workflow-decorator.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Bursts run after the caller's commit, from the outbox: a burst of unknown length inside of it would hold its locks. */
@Injectable()
export class WorkflowTransactions extends IWorkflowTransactions {
  private readonly logger = new WorkflowLogger('WorkflowOutbox');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly outbox: OutboxProcessor,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly resumer: BookmarkResumer,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
  ) {
    super();
  }

  async run<Transaction extends object, T>(
    source: TransactionSource<Transaction>,
    work: (transaction: Transaction, workflows: TransactionalWorkflows) => Promise<T>,
  ): Promise<T> {
    const result = await source.transaction((transaction) => work(transaction, this.within(transaction)));
    this.announce();
    return result;
  }

  within(transaction: object): TransactionalWorkflows {
    const enlisted = this.persistence.enlist(transaction);
    const send = (kind: string, payload: unknown) => this.send(enlisted, { kind, payload });
    return {
      start: (request: TransactionalStart | WorkflowClass, input?: Inputs, options?: TransactionalStartOptions) =>
        this.start(typeof request === 'function' ? startOf(request, input, options) : request, send, enlisted),
      resume: (activity: Resumed, stimulus: unknown, options?: TransactionalResume) =>
        this.resume(activity, stimulus, options, send),
      resumeById: (bookmarkId, { input } = {}) =>
        send('resume-bookmark', { bookmarkId, input } satisfies ResumeBookmarkMessage),
      publishEvent: (event: string | WorkflowEventType, options?: PublishEventOptions) =>
        this.publishEvent(nameOf(event), options, send),
    };
  }

  announce(): void {
    this.outbox.poll().catch((error: unknown) => {
      // The messages are stored: the next round finds them.
      if (!isStoreOutage(error)) this.logger.warn(`Failed to fetch messages: ${toErrorLike(error).message}`);
    });
  }

  /** Available at once, so that any node may serve it as soon as it can be seen. */
  private send(enlisted: EnlistedOutbox, message: OutgoingMessage): Promise<void> {
    const availableAt = new Date(this.clock.now());
    return enlisted.add(this.outbox.prepare([{ ...message, availableAt }]));
  }

  private async start(
    request: TransactionalStart,
    send: Send,
    { definitions }: Pick<EnlistedOutbox, 'definitions'>,
  ): Promise<string> {
    const definition = await this.definitions.require(request.definition, definitions);
    const workflowInstanceId = request.workflowInstanceId ?? this.engine.newId();
    requireStorableStart(workflowInstanceId, request);
    const input = startedInputs(definition, request, request, this.engine.types);
    // The version is fixed now, as by a dispatch.
    const payload: StartMessage = {
      ...request,
      ...(input && { input }),
      definition: { definitionVersionId: definition.id },
      workflowInstanceId,
    };
    await send('start', payload);
    return workflowInstanceId;
  }

  private async resume(
    activity: Resumed,
    stimulus: unknown,
    options: TransactionalResume = {},
    send: Send,
  ): Promise<void> {
    const name = stimulusNameOf(activity);
    const { workflowInstanceId, correlationId, input } = options;
    requireStorableStimulus(name, options);
    const hash = this.resumer.hashOf(name, stimulus);
    return send('resume-waiting', {
      name,
      hash,
      workflowInstanceId,
      correlationId,
      input,
    } satisfies ResumeWaitingMessage);
  }

  private async publishEvent(eventName: string, options: PublishEventOptions = {}, send: Send): Promise<void> {
    const metadata = eventMetadata(withOwnKey(eventName, options));
    requireStorableStimulus(EVENT_STIMULUS, metadata);
    const payload: StimulusMessage = { name: EVENT_STIMULUS, stimulus: eventStimulus(eventName), metadata };
    return send('stimulus', payload);
  }
}

type Send = (kind: string, payload: unknown) => Promise<void>;
type Inputs = Readonly<Record<string, unknown>>;
type Resumed = Constructor | string | AnyStimulusType;

function startOf(workflow: WorkflowClass, input?: Inputs, options?: TransactionalStartOptions): TransactionalStart {
  const definition = definitionIdOf(workflow);
  if (definition === undefined) throw new NotAWorkflowError(workflow.name);
  return { ...options, definition, ...(input && { input }) };
}
