import type { InstanceFilter } from './instance-store.js';
import type { OutboxDeadLetterFilter, DeadLetterFilter } from './message-stores.js';

/** Actions of bulk operations. Each can safely be repeated, as happens after a crash. */
export const BulkAction = {
  CancelInstances: 'CancelInstances',
  DeleteInstances: 'DeleteInstances',
  /** Dead letters of the outbox. */
  ReplayMessages: 'ReplayMessages',
  DeleteMessages: 'DeleteMessages',
  /** Of stimuli that found no bookmark. */
  ReplayStimuli: 'ReplayStimuli',
  DeleteStimuli: 'DeleteStimuli',
} as const;
export type BulkAction = (typeof BulkAction)[keyof typeof BulkAction];

/** Dead letters of an instance of one of these definitions, or that would have started one. */
interface OfDefinitions {
  readonly definitionIds?: readonly string[] | undefined;
}
/** Selects dead letters of the outbox. */
export type MessageSelection = OutboxDeadLetterFilter & OfDefinitions;
/** Selects stimuli that found no bookmark. */
export type StimulusSelection = DeadLetterFilter & OfDefinitions;

/** A bulk operation and its targets. All members of a filter must hold; several filters select the union. */
export type BulkRequest =
  | { readonly action: 'CancelInstances' | 'DeleteInstances'; readonly filters: readonly InstanceFilter[] }
  | { readonly action: 'ReplayMessages' | 'DeleteMessages'; readonly filters: readonly MessageSelection[] }
  | { readonly action: 'ReplayStimuli' | 'DeleteStimuli'; readonly filters: readonly StimulusSelection[] };

/** Filters of a bulk request, which applies to everything that any of them selects. */
export type BulkSelection = BulkRequest['filters'];

/**
 * Actions of plans that go step by step, each step by a message of the outbox. Their order matters, or nodes of the version before
 * would take a batch of an action that they do not know for done. Each can safely be repeated.
 */
export const StepAction = {
  /** Runs the activities again at which instances failed. */
  RetryInstances: 'RetryInstances',
  /** Points consumers of a published definition to its version. */
  UpdateConsumers: 'UpdateConsumers',
  /** Publishes the latest versions of definitions. */
  PublishDefinitions: 'PublishDefinitions',
} as const;
export type StepAction = (typeof StepAction)[keyof typeof StepAction];

/** Instances to retry. */
export interface RetrySelection {
  /** Of instances, in the order in which they are retried. */
  readonly ids: readonly string[];
}

/** Definitions to publish. */
export interface PublishSelection {
  /** Of definitions, in the order in which they are published. */
  readonly ids: readonly string[];
}

/** Consumers of one definition. */
export interface ConsumerSelection {
  /** Id of the definition that was published. */
  readonly definitionId: string;
  /** Of definitions that use it, directly or through others: each after those that it uses. */
  readonly ids: readonly string[];
}

/** A plan that goes step by step, and its targets. */
export type StepRequest =
  | { readonly action: 'RetryInstances'; readonly filters: readonly [RetrySelection] }
  | { readonly action: 'UpdateConsumers'; readonly filters: readonly [ConsumerSelection] }
  | { readonly action: 'PublishDefinitions'; readonly filters: readonly [PublishSelection] };
