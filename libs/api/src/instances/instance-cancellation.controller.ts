import { Param, Res } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { IWorkflowRuntime, WorkflowPersistence, type InstanceFilter, type PlanRequester } from '@waymark/runtime';

import { InvalidRequestError } from '../answers/api-errors.js';
import { Audited } from '../audit/audited.js';
import { BulkAnswers, distinctIds } from '../bulk/bulk-answers.js';
import { RequestedBy } from '../bulk/requested-by.js';
import { bulkNote } from '../bulk/bulk-note.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import type { HttpReply } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { fittingNamed } from './instance-filters.js';

const cancelRequest = read.members({
  ids: read.list(read.name),
  definitionVersionId: read.name,
  definitionId: read.name,
  versionOptions: read.versionOptions,
});
type CancelRequest = read.ReadBy<typeof cancelRequest>;

const deleteRequest = read.members({
  ids: read.list(read.name),
  workflowDefinitionId: read.name,
  workflowDefinitionIds: read.names,
});
type DeleteRequest = read.ReadBy<typeof deleteRequest>;

const CANCEL = 'cancel:workflow-instances';
const DELETE = 'delete:workflow-instances';

/** Cancels instances, and deletes several at a time. */
@ApiController()
export class InstanceCancellationController {
  constructor(
    private readonly bulk: BulkAnswers,
    private readonly runtime: IWorkflowRuntime,
    private readonly persistence: WorkflowPersistence,
  ) {}

  /** Cancelling what has ended, or never was, changes nothing and is fine. */
  @Audited('instances.cancel', { target: 'instance', param: 'id' })
  @ApiPost('cancel/workflow-instances/:id', CANCEL)
  async cancel(@Param('id') id: string): Promise<void> {
    const client = await this.runtime.createClient(id);
    try {
      await client.cancel();
    } catch (error) {
      // InstanceNotFoundError
      if (!isWaymarkError(error, 'WM3001')) throw error;
    }
  }

  @Audited('instances.cancel', { target: 'instance', note: bulkNote('ids') })
  @ApiPost('bulk-actions/cancel/workflow-instances', CANCEL)
  async cancelMany(
    @FromBody(cancelRequest) request: CancelRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const { definitionId, versionOptions } = request;
    if ((definitionId === undefined) !== (versionOptions === undefined))
      throw InvalidRequestError.at('versionOptions', 'Give definitionId and versionOptions together, or neither.');
    const ids = distinctIds(request.ids);
    const filters: InstanceFilter[] = ids?.length ? [{ ids, statuses: ['Running'] }] : [];
    const ofVersions = await this.ofVersions(request);
    if (ofVersions) filters.push({ ...ofVersions, statuses: ['Running'] });
    return this.bulk.run('cancelled', { action: 'CancelInstances', filters }, by, reply);
  }

  @Audited('instances.delete', { target: 'instance', note: bulkNote('ids') })
  @ApiPost('bulk-actions/delete/workflow-instances', DELETE)
  deleteMany(
    @FromBody(deleteRequest) request: DeleteRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.deleteAll(request, by, reply);
  }

  /** The older route, which Studio still calls. */
  @Audited('instances.delete', { target: 'instance', note: bulkNote('ids') })
  @ApiPost('bulk-actions/delete/workflow-instances/by-id', DELETE)
  deleteManyById(
    @FromBody(deleteRequest) request: DeleteRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.deleteAll(request, by, reply);
  }

  private deleteAll(request: DeleteRequest, by: PlanRequester, reply: HttpReply) {
    const ids = distinctIds(request.ids);
    const definitionIds = fittingNamed(request.workflowDefinitionId, request.workflowDefinitionIds);
    const filter: InstanceFilter = { ...(ids && { ids }), ...(definitionIds && { definitionIds }) };
    const lists = [ids, definitionIds].filter((list) => list !== undefined);
    // An empty filter would mean every instance there is; an empty list, such as of what is selected on a page, means none.
    const selects = lists.length > 0 && lists.every((list) => list.length > 0);
    return this.bulk.run('deleted', { action: 'DeleteInstances', filters: selects ? [filter] : [] }, by, reply);
  }

  /** Instances of these versions. Their definition is named as well, where it is known: instances are found by it. */
  private async ofVersions(request: CancelRequest): Promise<InstanceFilter | undefined> {
    const { definitionVersionId, definitionId, versionOptions } = request;
    const { definitions } = this.persistence;
    const [named, matching] = await Promise.all([
      definitionVersionId === undefined ? [] : definitions.findVersions({ id: definitionVersionId }),
      definitionId === undefined ? [] : definitions.findVersions({ definitionId, versionOptions }),
    ]);
    const ids = new Set(matching.map(({ id }) => id));
    if (definitionVersionId !== undefined) ids.add(definitionVersionId);
    if (ids.size === 0) return undefined;
    const filter: InstanceFilter = { definitionVersionIds: [...ids] };
    const isKnown = definitionVersionId === undefined || named.length > 0;
    return isKnown
      ? { ...filter, definitionIds: [...new Set([...named, ...matching].map((v) => v.definitionId))] }
      : filter;
  }
}
