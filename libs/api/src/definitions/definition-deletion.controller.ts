import { HttpCode, Param, ParseIntPipe } from '@nestjs/common';
import { DefinitionNotFoundError, IWorkflowDefinitionPublisher, WorkflowPersistence } from '@waymark/runtime';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { ApiController, ApiDelete, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { EditableDefinitions } from './editable-definitions.js';

const byIds = read.members({ ids: read.list(read.name) });
const byDefinitionIds = read.members({ definitionIds: read.list(read.name) });

const DELETE = 'delete:workflow-definitions';

/** Deletes definitions and versions, with their instances. */
@ApiController()
export class DefinitionDeletionController {
  constructor(
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly persistence: WorkflowPersistence,
    private readonly editable: EditableDefinitions,
  ) {}

  @ApiDelete('workflow-definitions/:definitionId', DELETE)
  @HttpCode(204)
  async delete(@Param('definitionId') definitionId: string): Promise<void> {
    await this.editable.require(definitionId);
    if ((await this.publisher.delete([definitionId])) === 0)
      throw new ResourceNotFoundError('workflow definition', definitionId);
  }

  @ApiDelete('workflow-definition-versions/:id', DELETE)
  @HttpCode(204)
  async deleteVersion(@Param('id') id: string): Promise<void> {
    await this.editable.requireVersion(id);
    if ((await this.publisher.deleteVersions([id])) === 0)
      throw new ResourceNotFoundError('workflow definition version', id);
  }

  @ApiDelete('workflow-definitions/:definitionId/version/:version', DELETE)
  async deleteVersionByNumber(
    @Param('definitionId') definitionId: string,
    @Param('version', ParseIntPipe) version: number,
  ): Promise<void> {
    const [found] = await this.persistence.definitions.findVersions({ definitionId, versionOptions: version });
    if (!found) throw new DefinitionNotFoundError({ definitionId, versionOptions: version });
    await this.editable.requireVersion(found.id);
    await this.publisher.deleteVersions([found.id]);
  }

  @ApiPost('bulk-actions/delete/workflow-definitions/by-definition-id', DELETE)
  async deleteMany(@FromBody(byDefinitionIds) { definitionIds = [] }: read.ReadBy<typeof byDefinitionIds>) {
    return { deleted: await this.publisher.delete(await this.editable.among(definitionIds)) };
  }

  @ApiPost('bulk-actions/delete/workflow-definitions/by-id', DELETE)
  async deleteVersions(@FromBody(byIds) { ids = [] }: read.ReadBy<typeof byIds>) {
    return { deleted: await this.publisher.deleteVersions(await this.editable.amongVersions(ids)) };
  }
}
