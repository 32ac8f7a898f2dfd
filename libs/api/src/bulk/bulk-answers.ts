import { Inject, Injectable } from '@nestjs/common';
import {
  BulkPlans,
  DefinitionDeletions,
  type BulkFailure,
  type BulkRequest,
  type DefinitionDeletion,
  type ExpectedDefinition,
  type PlanRequester,
} from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { API_OPTIONS, type ResolvedApiOptions } from '../module/api-options.js';
import { ApiPath } from '../requests/api-path.js';
import type { HttpReply } from '../requests/http-request.js';
import { accepted, bulkPlanPath } from './plan-answers.js';

/** Most ids of one request. More have to be selected by a filter: a plan stores the list, and reads it with each batch. */
const MAX_IDS = 10_000;

/** Name of the member with the number of changed rows, which differs between answers of Elsa. */
type Counted = 'cancelled' | 'deleted' | 'replayed';
export type BulkAnswer = { readonly [K in Counted]?: number } & {
  readonly planId?: string;
  readonly failures?: readonly BulkFailure[];
};

/** Does bulk work, or creates a plan for it, and answers in the format of Elsa. */
@Injectable()
export class BulkAnswers {
  constructor(
    private readonly plans: BulkPlans,
    private readonly deletions: DefinitionDeletions,
    private readonly path: ApiPath,
    @Inject(API_OPTIONS) private readonly options: ResolvedApiOptions,
  ) {}

  /**
   * A little is done before it is answered. Beyond `synchronousBulkLimit` a plan is answered: 202, with its address in
   * `Location`.
   */
  async run(counted: Counted, request: BulkRequest, by: PlanRequester, reply: HttpReply): Promise<BulkAnswer> {
    const most = this.options.synchronousBulkLimit;
    const { planId, changed, failures } = await this.plans.run(request, most, by);
    if (planId !== undefined) return this.planned(counted, planId, reply);
    return failures.length > 0 ? { [counted]: changed, failures } : { [counted]: changed };
  }

  /**
   * Definitions or versions with their instances, likewise: `deleted` counts versions.
   * @param over what is deleted, as it was read
   */
  async delete(
    deletion: DefinitionDeletion,
    requestedBy: PlanRequester,
    reply: HttpReply,
    over?: ExpectedDefinition,
  ): Promise<BulkAnswer & { readonly deleted: number }> {
    const { deleted, planId } = await this.deletions.run(deletion, this.options.synchronousBulkLimit, {
      over,
      requestedBy,
    });
    return { ...(planId === undefined ? {} : this.planned('deleted', planId, reply)), deleted };
  }

  private planned(counted: Counted, planId: string, reply: HttpReply): BulkAnswer {
    accepted(reply, bulkPlanPath(this.path, planId));
    return { [counted]: 0, planId };
  }
}

/** Each id once. @throws InvalidRequestError for more than 10,000 */
export function distinctIds(ids: readonly string[] | undefined, member = 'ids'): string[] | undefined {
  if (!ids) return undefined;
  const distinct = [...new Set(ids)];
  if (distinct.length <= MAX_IDS) return distinct;
  throw InvalidRequestError.at(
    member,
    `'${member}' must have at most ${MAX_IDS} members, but it has ${distinct.length}. Use a filter, or send several requests.`,
  );
}
