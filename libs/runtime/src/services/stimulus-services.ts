import type { Constructor } from '@waymark/core';
import type { RunInstanceResult } from './instance-services.js';
import type { StimulusType, WorkflowEventType } from './typed-stimuli.js';

/**
 * The recipients of a stimulus, and its data. A recipient that is left out sets no condition; one that is given as `undefined` or null is
 * refused with `UndefinedRecipientError` (`WM1057`).
 */
export interface StimulusMetadata {
  /** Id of the workflow instance. With it, no workflow is started. @default every instance that waits */
  readonly workflowInstanceId?: string;
  /** Correlation id of the instance: its business key. Workflows that are started get it. @default every instance that waits */
  readonly correlationId?: string;
  /** Id of the execution of the activity. With it, no workflow is started. @default every one that waits */
  readonly activityInstanceId?: string;
  /** Id of the bookmark. With it, no workflow is started. @default every one that matches */
  readonly bookmarkId?: string;
  /** Id of the parent instance, when this one is started as a child. */
  readonly parentWorkflowInstanceId?: string;
  /** Input, by name. @default none */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Properties to store with the instance. @default none */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Objects for this burst only; they are not stored. @default none */
  readonly transient?: Iterable<readonly [unknown, unknown]>;
  /**
   * Idempotency key: stimuli with the same key start one instance of each workflow, for as long as the key is remembered
   * (`requestKeyRetentionMs`), and only one of them is kept. Instances that wait are resumed by each. @default none
   */
  readonly idempotencyKey?: string;
}

/** The instances that a stimulus started and resumed. */
export interface SendStimulusResult {
  /** Instances that it has started. */
  readonly started: readonly RunInstanceResult[];
  /** Those resumed before the call returned: `fanOutLimit` at most. */
  readonly resumed: readonly RunInstanceResult[];
  /** Further instances that waited: the outbox resumes them, on any node and each once. */
  readonly handedOver: number;
  /** Definitions whose activation strategy refused. */
  readonly refused: readonly string[];
  /** Set when nothing matched and the stimulus is kept until a bookmark does. */
  readonly queuedItemId?: string;
}

/**
 * Sends stimuli: starts the workflows that a stimulus triggers and resumes the instances that wait for it, before the call
 * returns. Of more than `fanOutLimit` waiting instances, the oldest are resumed now and the others from the outbox, without
 * `transient`.
 * @example
 * await stimuli.send(FileChanged, { path: '/data/orders.csv' }, { input: { size: 120 } });
 */
export abstract class IStimulusSender {
  /**
   * Resumes the instances that wait at the time of the call, several at a time, or one after another with `transient`. A
   * workflow or an instance that fails does not affect the others.
   * @param activity class of the trigger or activity, or a stimulus name
   * @param stimulus the value with which the trigger or bookmark was created
   * @throws the first error of a start or a resume, when all have been tried; UndefinedRecipientError (`WM1057`),
   *   TextNotStorableError (`WM1103`)
   */
  abstract send(
    activity: Constructor | string,
    stimulus: unknown,
    metadata?: StimulusMetadata,
  ): Promise<SendStimulusResult>;
  /** Does the same with a typed stimulus. */
  abstract send<S, I>(
    stimulusType: StimulusType<S, I>,
    stimulus: NoInfer<S>,
    ...metadata: StimulusArguments<StimulusMetadata, I>
  ): Promise<SendStimulusResult>;
}

/**
 * Sends stimuli from the outbox: the call returns once the stimulus is stored.
 * @example
 * await stimuli.dispatch(FileChanged, { path: '/data/orders.csv' }, { input: { size: 120 }, idempotencyKey: etag });
 */
export abstract class IStimulusDispatcher {
  /**
   * Stores the stimulus.
   * @param activity class of the trigger or activity, or a stimulus name
   * @param stimulus the value with which the trigger or bookmark was created
   * @throws UndefinedRecipientError (`WM1057`), TextNotStorableError (`WM1103`)
   */
  abstract dispatch(
    activity: Constructor | string,
    stimulus: unknown,
    metadata?: Omit<StimulusMetadata, 'transient'>,
  ): Promise<void>;
  /** Does the same with a typed stimulus. */
  abstract dispatch<S, I>(
    stimulusType: StimulusType<S, I>,
    stimulus: NoInfer<S>,
    ...metadata: StimulusArguments<Omit<StimulusMetadata, 'transient'>, I>
  ): Promise<void>;
}

/** Options with the input of a stimulus; the input is required unless all of its members are optional. */
export type WithInput<Options extends { readonly input?: unknown }, Input> = Omit<Options, 'input'> &
  (MayBeLeftOut<Input> extends true ? { readonly input?: NoInfer<Input> } : { readonly input: NoInfer<Input> });

/** Arguments of a typed stimulus; the options may be left out if no input is required. */
export type StimulusArguments<Options extends { readonly input?: unknown }, Input> =
  MayBeLeftOut<Input> extends true ? [options?: WithInput<Options, Input>] : [options: WithInput<Options, Input>];

// oxlint-disable-next-line typescript/no-empty-object-type -- whether nothing would do
type MayBeLeftOut<Input> = undefined extends Input ? true : {} extends Input ? true : false;

/** Options with the payload of an event; the payload is required unless it may be undefined. */
export type WithPayload<Options extends { readonly payload?: unknown }, Payload> = Omit<Options, 'payload'> &
  (undefined extends Payload ? { readonly payload?: NoInfer<Payload> } : { readonly payload: NoInfer<Payload> });

/** Arguments of a typed event; the options may be left out if no payload is required. */
export type EventArguments<Options extends { readonly payload?: unknown }, Payload> = undefined extends Payload
  ? [options?: WithPayload<Options, Payload>]
  : [options: WithPayload<Options, Payload>];

/**
 * The recipients of an event, and its payload. A recipient that is left out sets no condition; one that is given as `undefined` or null is
 * refused with `UndefinedRecipientError` (`WM1057`).
 */
export interface PublishEventOptions {
  /** Correlation id of the instance: its business key. Workflows that are started get it. @default every instance that waits */
  readonly correlationId?: string | undefined;
  /** Id of the workflow instance. With it, no workflow is started. @default every instance that waits */
  readonly workflowInstanceId?: string | undefined;
  /** Id of the execution of the activity. With it, no workflow is started. @default every one that waits */
  readonly activityInstanceId?: string | undefined;
  /** Payload of the event. @default none */
  readonly payload?: unknown;
  /**
   * Idempotency key: events with the same name and key start one instance of each workflow, for as long as the key is remembered
   * (`requestKeyRetentionMs`), and only one of them is kept, so that a caller that got no answer may publish again. Instances that wait
   * are resumed by each. @default none
   */
  readonly idempotencyKey?: string | undefined;
  /** Objects for this burst only; they are not stored. @default none */
  readonly transient?: Iterable<readonly [unknown, unknown]> | undefined;
}

/**
 * Publishes events for `Event` activities.
 * @example
 * await events.publish('Paid', { correlationId: orderId, payload: { cents: 900 } });
 */
export abstract class IEventPublisher {
  /**
   * Starts and resumes the recipients before it returns, up to `fanOutLimit` waiting instances. Without any recipient in its options, it
   * is for every instance that waits for the event.
   * @throws the first error of a start or a resume, when all have been tried; UndefinedRecipientError (`WM1057`),
   *   TextNotStorableError (`WM1103`)
   */
  abstract publish(eventName: string, options?: PublishEventOptions): Promise<SendStimulusResult>;
  /** Does the same with a typed event. */
  abstract publish<P>(
    event: WorkflowEventType<P>,
    ...options: EventArguments<PublishEventOptions, P>
  ): Promise<SendStimulusResult>;
  /**
   * Stores the event and returns; it is delivered from the outbox.
   * @throws UndefinedRecipientError (`WM1057`), TextNotStorableError (`WM1103`)
   */
  abstract dispatch(eventName: string, options?: Omit<PublishEventOptions, 'transient'>): Promise<void>;
  /** Does the same with a typed event. */
  abstract dispatch<P>(
    event: WorkflowEventType<P>,
    ...options: EventArguments<Omit<PublishEventOptions, 'transient'>, P>
  ): Promise<void>;
}

/**
 * Reports results of `RunTask` activities.
 * @example
 * @OnEvent(WorkflowEvent.RunTaskRequested)
 * async onTask({ taskId, taskName, taskPayload }: RunTaskRequest): Promise<void> {
 *   if (taskName === 'render') await this.tasks.reportCompletion(taskId, await this.renderer.render(taskPayload));
 * }
 */
export abstract class ITaskReporter {
  /** Resumes the `RunTask` activity that waits for the task. */
  abstract reportCompletion(taskId: string, result?: unknown): Promise<void>;
}
