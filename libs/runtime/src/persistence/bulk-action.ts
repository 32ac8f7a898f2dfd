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
