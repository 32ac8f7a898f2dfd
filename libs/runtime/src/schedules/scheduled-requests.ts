import { Inject, Injectable } from '@nestjs/common';
import type { OutgoingMessage } from '@waymark/core/adapter';
import { BookmarkResumer } from '../bookmarks/bookmark-resumer.js';
import type { ResumeBookmarkMessage, ResumeWaitingMessage, StartMessage } from '../bursts/messages.js';
import { SCHEDULED_AT_INPUT, startedInputs } from '../bursts/started-inputs.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import type { EnlistedReads } from '../persistence/enlisted-outbox.js';
import type { StoredSchedule } from '../persistence/schedule-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { openMembers, sealMembers } from '../secrets/sealed-members.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { BookmarkNotFoundError } from '../services/instance-errors.js';
import { IWorkflowStarter, type RunInstanceResult, type StartWorkflowRequest } from '../services/instance-services.js';
import type {
  ScheduledRequest,
  ScheduledResume,
  ScheduledStart,
  ScheduledStimulus,
} from '../services/scheduler-services.js';
import { stimulusNameOf } from '../services/typed-stimuli.js';
import { given } from '../services/given-members.js';
import { requireStorableStart, requireStorableStimulus } from '../services/storable-requests.js';
import { InvalidScheduledRequestError, NothingToResumeError } from './scheduled-request-errors.js';
import type { RequestValues, StoredRequest } from './stored-request.js';

/** The members of a `StoredSchedule` that say what it does. */
export type RequestColumns = Pick<StoredSchedule, 'request' | 'workflowDefinitionId' | 'workflowInstanceId'>;

type StoredOf<K extends StoredRequest['kind']> = Extract<StoredRequest, { kind: K }>;

/** What schedules of the application do: checks it when they are stored, and makes messages of it when they fire. */
@Injectable()
export class ScheduledRequests {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly starter: IWorkflowStarter,
    private readonly resumer: BookmarkResumer,
    private readonly engine: WorkflowEngine,
    @Inject(RUNTIME_OPTIONS) private readonly options: Pick<ResolvedRuntimeOptions, 'encryption'>,
  ) {}

  /**
   * Checks a request, and returns it as it is stored.
   * @param source read instead of the store, within a transaction
   * @throws InvalidScheduledRequestError, DefinitionNotFoundError, WorkflowInputError, BookmarkNotFoundError, TextNotStorableError
   */
  async check(
    scheduleId: string,
    request: ScheduledRequest,
    source: Partial<EnlistedReads> = {},
  ): Promise<RequestColumns> {
    const given = request as Partial<ScheduledResume & ScheduledStart & ScheduledStimulus> | undefined;
    const kinds = [given?.definition, given?.bookmarkId, given?.activity].filter((each) => each !== undefined);
    if (kinds.length !== 1)
      throw new InvalidScheduledRequestError(
        scheduleId,
        kinds.length === 0 ? 'asks for nothing' : 'asks for two things',
      );
    if (given!.definition !== undefined) return this.checkStart(scheduleId, request as ScheduledStart, source);
    if (given!.bookmarkId !== undefined) return this.checkResume(scheduleId, request as ScheduledResume, source);
    return this.checkStimulus(scheduleId, request as ScheduledStimulus);
  }

  /**
   * Returns the message that an occurrence sends.
   * @returns undefined if nothing waits at its bookmark any more, so that the schedule has ended
   * @throws DefinitionNotFoundError, WorkflowInputError by what is published now; EncryptionKeyNotFoundError, DecryptionFailedError
   */
  async message({ id, request }: StoredSchedule, scheduledAt: Date): Promise<OutgoingMessage | undefined> {
    const stored = request as StoredRequest;
    const values = this.open(id, stored);
    if (stored.kind === 'resume') {
      if (!(await this.isWaiting(stored.bookmarkId))) return undefined;
      return {
        kind: 'resume-bookmark',
        payload: { bookmarkId: stored.bookmarkId, ...values } satisfies ResumeBookmarkMessage,
      };
    }
    const input = { ...values.input, [SCHEDULED_AT_INPUT]: scheduledAt };
    if (stored.kind === 'stimulus') return { kind: 'resume-waiting', payload: waitingMessage(stored, input) };
    const start = await this.startMessage(stored, { ...values, input });
    return { kind: 'start', payload: { ...start, scheduleId: id } satisfies StartMessage };
  }

  /**
   * Returns the start that an occurrence asks for, of the version that is published now.
   * @returns undefined if it resumes an instance instead
   * @throws as `message`
   */
  async start({ id, request }: StoredSchedule, scheduledAt: Date): Promise<StartWorkflowRequest | undefined> {
    const stored = request as StoredRequest;
    if (stored.kind !== 'start') return undefined;
    const values = this.open(id, stored);
    return this.startMessage(stored, { ...values, input: { ...values.input, [SCHEDULED_AT_INPUT]: scheduledAt } });
  }

  /**
   * Does at once what the schedule would do, and waits for the burst.
   * @returns undefined if the activation strategy refuses the start
   * @throws NothingToResumeError, BookmarkNotFoundError and what the start throws
   */
  async byHand(
    { id, request }: StoredSchedule,
    scheduledAt: Date,
    requestKey: string | undefined,
  ): Promise<RunInstanceResult | undefined> {
    const stored = request as StoredRequest;
    const values = this.open(id, stored);
    if (stored.kind === 'resume') return this.resumer.resumeById(stored.bookmarkId, values);
    const input = { ...values.input, [SCHEDULED_AT_INPUT]: scheduledAt };
    if (stored.kind === 'stimulus') {
      const { hash, workflowInstanceId, correlationId } = stored;
      const [first] = await this.resumer.resumeMany(
        { hash, ...given({ workflowInstanceId, correlationId }) },
        { input },
      );
      if (!first) throw new NothingToResumeError(id);
      return first;
    }
    const { definition, correlationId, name, triggerActivityId } = stored;
    const key = requestKey === undefined ? {} : { requestKey };
    const start = { definition, correlationId, name, triggerActivityId, ...values, input, ...key };
    return (await this.starter.start(start)).result;
  }

  private async checkStart(
    scheduleId: string,
    request: ScheduledStart,
    { definitions }: Partial<EnlistedReads>,
  ): Promise<RequestColumns> {
    const { definition, correlationId, name, triggerActivityId, input, properties } = request;
    const found = await this.definitions.require(definition, definitions);
    requireStorableStart(scheduleId, { correlationId, name });
    startedInputs(found, request, request, this.engine.types);
    const stored: StoredRequest = {
      kind: 'start',
      definition,
      ...given({ correlationId, name, triggerActivityId }),
      values: this.seal(scheduleId, { input, properties }),
    };
    return { request: stored, workflowDefinitionId: found.definitionId };
  }

  private async checkResume(
    scheduleId: string,
    request: ScheduledResume,
    { bookmarks = this.persistence.bookmarks }: Partial<EnlistedReads>,
  ): Promise<RequestColumns> {
    const { bookmarkId, input, properties } = request;
    const [row] = await bookmarks.findMany({ ids: [bookmarkId] });
    if (!row) throw new BookmarkNotFoundError(bookmarkId);
    const values = this.seal(scheduleId, { input, properties });
    const stored: StoredRequest = { kind: 'resume', bookmarkId, values };
    return { request: stored, workflowInstanceId: row.workflowInstanceId };
  }

  private checkStimulus(scheduleId: string, request: ScheduledStimulus): RequestColumns {
    const { activity, stimulus, workflowInstanceId, correlationId, input } = request;
    const name = stimulusNameOf(activity);
    requireStorableStimulus(name, request);
    const stored: StoredRequest = {
      kind: 'stimulus',
      name,
      hash: this.resumer.hashOf(name, stimulus),
      ...given({ workflowInstanceId, correlationId }),
      values: this.seal(scheduleId, { input }),
    };
    return { request: stored, ...given({ workflowInstanceId }) };
  }

  private async startMessage(
    { definition, correlationId, name, triggerActivityId }: StoredOf<'start'>,
    values: RequestValues,
  ): Promise<StartMessage> {
    const found = await this.definitions.require(definition);
    const request = { definition, correlationId, name, triggerActivityId, ...values };
    const input = startedInputs(found, request, request, this.engine.types);
    return {
      ...request,
      ...(input && { input }),
      definition: { definitionVersionId: found.id },
      workflowInstanceId: this.engine.newId(),
    };
  }

  private async isWaiting(bookmarkId: string): Promise<boolean> {
    return (await this.persistence.bookmarks.findMany({ ids: [bookmarkId] })).length > 0;
  }

  private seal(scheduleId: string, values: RequestValues): Readonly<Record<string, unknown>> {
    return sealMembers(this.options.encryption, { ...given(values) }, placeOf(scheduleId));
  }

  private open(scheduleId: string, { values }: StoredRequest): RequestValues {
    return openMembers(this.options.encryption, values, placeOf(scheduleId));
  }
}

const placeOf = (scheduleId: string): string => `request of schedule "${scheduleId}"`;

function waitingMessage(
  { name, hash, workflowInstanceId, correlationId }: StoredOf<'stimulus'>,
  input: Readonly<Record<string, unknown>>,
): ResumeWaitingMessage {
  return { name, hash, ...given({ workflowInstanceId, correlationId }), input };
}
