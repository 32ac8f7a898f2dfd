import { Param } from '@nestjs/common';
import { BulkPlans, type BulkPlan } from '@waymark/runtime';
import { ConflictError, ResourceNotFoundError } from '../answers/api-errors.js';
import { COUNTED_ROWS, DEFAULT_PAGE, pageAnswer, windowOf } from '../answers/lists.js';
import { withUnreadable } from '../answers/unreadable-row.js';
import { Audited } from '../audit/audited.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromQuery } from '../requests/bind.js';
import { withoutNulls } from '../requests/json-values.js';
import * as read from '../requests/readers.js';

const listRequest = read.members({ page: read.integerFrom(0), pageSize: read.integerFrom(1) });
type ListRequest = read.ReadBy<typeof listRequest>;

const READ = 'read:bulk-plans';

/** Bulk work that continues after its request was answered. The reference has none: there the request does it all. */
@ApiController('bulk-actions/plans')
export class BulkPlansController {
  constructor(private readonly plans: BulkPlans) {}

  @ApiGet('', READ)
  async list(@FromQuery(listRequest) request: ListRequest) {
    const window = { ...windowOf(request, DEFAULT_PAGE), countUpTo: COUNTED_ROWS };
    const { items, totalCount, isTotalLowerBound } = await this.plans.findMany(window);
    return pageAnswer(items.map(shownInList), totalCount, isTotalLowerBound);
  }

  @ApiGet(':id', READ)
  async one(@Param('id') id: string) {
    return shown(await this.require(id));
  }

  /** What has been done stays done. */
  @Audited('bulk-plans.cancel', { target: 'bulk-plan', param: 'id' })
  @ApiPost(':id/cancel', 'cancel:bulk-plans')
  async cancel(@Param('id') id: string) {
    if (!(await this.plans.cancel(id))) {
      const { status } = await this.require(id);
      // The instances are gone, and what they are of is being deleted.
      const what = status === 'Running' ? 'is deleting what is left' : `has already ended (${status})`;
      throw new ConflictError(`Bulk plan "${id}" ${what}, so it cannot be cancelled.`);
    }
    return this.one(id);
  }

  private async require(id: string): Promise<BulkPlan> {
    const found = await this.plans.find(id);
    if (!found) throw new ResourceNotFoundError('bulk plan', id);
    return found;
  }
}

/** Lists of ids can be long, and are known to the client. */
function shown({ selection, requestedBy, ...rest }: BulkPlan): object {
  const plan = withUnreadable(rest);
  const filters = selection.map(({ ids, ...filter }) =>
    withoutNulls({ ...filter, ...(ids ? { idCount: ids.length } : {}) }),
  );
  const by = requestedBy && { actorKind: requestedBy.actorKind, actor: requestedBy.actor };
  return { ...withoutNulls(plan), ...(by && { requestedBy: withoutNulls(by) }), filters };
}

/** In a list, what a plan names is counted: 10,000 ids of each plan would be megabytes on a page. The plan alone has them. */
function shownInList(plan: BulkPlan): object {
  const selection = plan.selection.map((filter) => counted(filter) as typeof filter);
  return { ...shown({ ...plan, selection }), ...(plan.deletes && { deletes: counted(plan.deletes) }) };
}

/** `definitionIds: ['a', 'b']` as `definitionIdCount: 2`, and so on. */
function counted(named: object): object {
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) =>
      Array.isArray(value) && name.endsWith('Ids') ? [`${name.slice(0, -1)}Count`, value.length] : [name, value],
    ),
  );
}
