import type { RunInstanceResult } from './instance-services.js';

export interface StimulusMetadata {
  readonly workflowInstanceId?: string;
  readonly correlationId?: string;
  readonly activityInstanceId?: string;
  readonly bookmarkId?: string;
  readonly parentWorkflowInstanceId?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly transient?: Iterable<readonly [unknown, unknown]>;
  readonly idempotencyKey?: string;
}

export interface SendStimulusResult {
  readonly started: readonly RunInstanceResult[];
  /** Those resumed before the call returned: `fanOutLimit` at most. */
  readonly resumed: readonly RunInstanceResult[];
  /** Further instances that waited: the outbox resumes them, on any node and each once. */
  readonly handedOver: number;
  /** Definitions whose activation strategy refused. */
  readonly refused: readonly string[];
  /** Set when nobody matched and the stimulus is kept until a bookmark does. */
  readonly queuedItemId?: string;
}

/**
 * Starts what a stimulus triggers and resumes what waits for it, now. When more instances wait than `fanOutLimit` says, the
 * oldest are resumed now and the others from the outbox, without `transient`.
 */
export abstract class IStimulusSender {
  /**
   * Addresses the instances that wait when it is called. They are resumed several at a time, with `transient` one after
   * another; one that fails keeps no other from being resumed.
   * @param stimulus the same value that the trigger or bookmark was made with
   * @throws the first error of an instance, when all have been tried
   */
  abstract send(stimulusName: string, stimulus: unknown, metadata?: StimulusMetadata): Promise<SendStimulusResult>;
}

/** The same later, from the outbox: the call returns once the stimulus is stored. */
export abstract class IStimulusDispatcher {
  abstract dispatch(
    stimulusName: string,
    stimulus: unknown,
    metadata?: Omit<StimulusMetadata, 'transient'>,
  ): Promise<void>;
}

export interface PublishEventOptions {
  readonly correlationId?: string;
  readonly workflowInstanceId?: string;
  readonly activityInstanceId?: string;
  readonly payload?: unknown;
  readonly transient?: Iterable<readonly [unknown, unknown]>;
}

/** Publishes events for `Event` activities. */
export abstract class IEventPublisher {
  /** Runs what the event concerns before it returns, up to `fanOutLimit` waiting instances. */
  abstract publish(eventName: string, options?: PublishEventOptions): Promise<SendStimulusResult>;
  /** Stores the event and returns; it is served from the outbox. */
  abstract dispatch(eventName: string, options?: Omit<PublishEventOptions, 'transient'>): Promise<void>;
}

/** Tells a waiting RunTask activity that its task is done. */
export abstract class ITaskReporter {
  abstract reportCompletion(taskId: string, result?: unknown): Promise<void>;
}
