import type { LoadedDefinition } from '../persistence/definition-store.js';
import type { PlanRequester } from '../persistence/bulk-plan-store.js';
import type { OutboxMessage } from '../persistence/records.js';
import type { PublishResult, UpdatedConsumers } from '../services/definition-services.js';

/** What becomes of the workflows that use a published one as an activity, if it says that they follow it. */
export abstract class ConsumerFollowing {
  /**
   * The message to store with a publish: should its node die before they follow, another one does it. Undefined: there are none.
   * @param requestedBy who publishes. @default code of the application
   */
  abstract prepare(
    published: Pick<LoadedDefinition, 'definitionId' | 'options'>,
    requestedBy?: PlanRequester,
  ): Promise<OutboxMessage | undefined>;
  /**
   * Moves them to the published version: a few before it returns, more by a plan.
   * @param how `message`: the one that was stored with the publish, @default there is none; `requestedBy`: who publishes, @default code of
   * the application
   */
  abstract follow(
    published: Pick<LoadedDefinition, 'definitionId' | 'options'>,
    how?: { readonly message?: OutboxMessage | undefined; readonly requestedBy?: PlanRequester | undefined },
  ): Promise<UpdatedConsumers>;
}

/** As the result of a publish shows it. */
export function consumersIn(
  outcome: UpdatedConsumers = { updated: [], failures: [] },
): Pick<PublishResult, 'updatedConsumers' | 'failedConsumers' | 'consumerPlanId'> {
  const { updated: updatedConsumers, failures: failedConsumers, planId: consumerPlanId } = outcome;
  return { updatedConsumers, failedConsumers, consumerPlanId };
}
