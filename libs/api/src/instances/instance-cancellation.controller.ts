import { Param } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { IWorkflowCancellationService, IWorkflowRuntime, WorkflowPersistence } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { anyOf } from './instance-filters.js';

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
  workflowDefinitionIds: read.list(read.name),
});
type DeleteRequest = read.ReadBy<typeof deleteRequest>;

const CANCEL = 'cancel:workflow-instances';
const DELETE = 'delete:workflow-instances';

/** Cancels instances, and deletes several at a time. */
@ApiController()
export class InstanceCancellationController {
  constructor(
    private readonly cancellation: IWorkflowCancellationService,
    private readonly runtime: IWorkflowRuntime,
    private readonly persistence: WorkflowPersistence,
  ) {}

  /** Cancelling what has ended, or never was, changes nothing and is fine. */
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

  @ApiPost('bulk-actions/cancel/workflow-instances', CANCEL)
  async cancelMany(@FromBody(cancelRequest) request: CancelRequest) {
    const { ids, definitionVersionId, definitionId, versionOptions } = request;
    if ((definitionId === undefined) !== (versionOptions === undefined))
      throw InvalidRequestError.at('versionOptions', 'Give definitionId and versionOptions together, or neither.');
    let cancelled = ids?.length ? await this.cancellation.cancel(ids) : 0;
    const versions = new Set(definitionVersionId === undefined ? [] : [definitionVersionId]);
    if (definitionId !== undefined) {
      const { items } = await this.persistence.definitions.findMany({ definitionId, versionOptions });
      for (const { id } of items) versions.add(id);
    }
    // An empty filter would mean every instance there is.
    if (versions.size > 0) cancelled += await this.cancellation.cancelByFilter({ definitionVersionIds: [...versions] });
    return { cancelled };
  }

  @ApiPost('bulk-actions/delete/workflow-instances', DELETE)
  deleteMany(@FromBody(deleteRequest) request: DeleteRequest) {
    return this.deleteAll(request);
  }

  /** The older route, which Studio still calls. */
  @ApiPost('bulk-actions/delete/workflow-instances/by-id', DELETE)
  deleteManyById(@FromBody(deleteRequest) request: DeleteRequest) {
    return this.deleteAll(request);
  }

  private async deleteAll({ ids, workflowDefinitionId, workflowDefinitionIds }: DeleteRequest) {
    const definitionIds = anyOf(workflowDefinitionId, workflowDefinitionIds);
    const ofDefinitions = definitionIds ? await this.persistence.instances.findIds({ definitionIds }) : [];
    let deleted = 0;
    for (const id of new Set([...(ids ?? []), ...ofDefinitions])) {
      const client = await this.runtime.createClient(id);
      if (await client.delete()) deleted++;
    }
    return { deleted };
  }
}
