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

/** Returns false for what a later version has, or what is done step by step. */
export function isBulkAction(action: string): action is BulkAction {
  return Object.values<string>(BulkAction).includes(action);
}

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
  /** Retracts the published versions of definitions. */
  RetractDefinitions: 'RetractDefinitions',
  /** Works out the triggers of published definitions again. */
  RefreshDefinitions: 'RefreshDefinitions',
} as const;
export type StepAction = (typeof StepAction)[keyof typeof StepAction];

/** What a plan that goes step by step is done to: ids on pages of their own, so that a step reads no more than its page. */
export interface StepSelection {
  /** How many ids. @default those in `ids` */
  readonly idCount?: number | undefined;
  /** The ids, in their order, of a plan that a node of an earlier version stored. @default on pages */
  readonly ids?: readonly string[] | undefined;
}

/** Consumers of one definition: each after those that it uses. */
export interface ConsumerSelection extends StepSelection {
  /** Id of the definition that was published. */
  readonly definitionId: string;
}

/** A plan that goes step by step, and its targets. */
export type StepRequest =
  | { readonly action: 'UpdateConsumers'; readonly filters: readonly [ConsumerSelection] }
  | { readonly action: Exclude<StepAction, 'UpdateConsumers'>; readonly filters: readonly [StepSelection] };
