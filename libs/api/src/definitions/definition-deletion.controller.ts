import { HttpCode, Param, ParseIntPipe, Req, Res } from '@nestjs/common';
import {
  DefinitionChangedError,
  DefinitionNotFoundError,
  WorkflowPersistence,
  type PlanRequester,
} from '@waymark/runtime';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { Audited, textIn, type AuditedRequest, type AuditNote } from '../audit/audited.js';
import { type BulkAnswer, BulkAnswers, distinctIds } from '../bulk/bulk-answers.js';
import { RequestedBy } from '../bulk/requested-by.js';
import { bulkNote } from '../bulk/bulk-note.js';
import { ApiController, ApiDelete, ApiPost } from '../module/api-controller.js';
import { FromBody } from '../requests/bind.js';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { expectedBy } from './definition-tags.js';
import { EditableDefinitions } from './editable-definitions.js';

const byIds = read.members({ ids: read.list(read.name) });
const byDefinitionIds = read.members({ definitionIds: read.list(read.name) });

const DELETE = 'delete:workflow-definitions';

/** A plan deletes what has many instances. */
const planned = ({ answer }: AuditedRequest): AuditNote => ({ details: { planId: textIn(answer, 'planId') } });

const numbered = ({ params, answer }: AuditedRequest): AuditNote => ({
  details: { version: params.version, planId: textIn(answer, 'planId') },
});

/** Deletes definitions and versions, with their instances. Where there are many of those, a plan does it. */
@ApiController()
export class DefinitionDeletionController {
  constructor(
    private readonly bulk: BulkAnswers,
    private readonly persistence: WorkflowPersistence,
    private readonly editable: EditableDefinitions,
  ) {}

  @Audited('definitions.delete', { target: 'definition', param: 'definitionId', note: planned })
  @ApiDelete('workflow-definitions/:definitionId', DELETE)
  @HttpCode(204)
  async delete(
    @Param('definitionId') definitionId: string,
    @Req() request: HttpRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const over = expectedBy(request);
    await this.editable.require(definitionId, over, 'deleted');
    const answer = await this.bulk.delete({ definitionIds: [definitionId] }, by, reply, over);
    return planOf(answer, () => new ResourceNotFoundError('workflow definition', definitionId));
  }

  @Audited('definitions.delete-version', { target: 'definition-version', param: 'id', note: planned })
  @ApiDelete('workflow-definition-versions/:id', DELETE)
  @HttpCode(204)
  async deleteVersion(
    @Param('id') id: string,
    @Req() request: HttpRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const over = expectedBy(request);
    await this.editable.requireVersion(id, over);
    const answer = await this.bulk.delete({ definitionVersionIds: [id] }, by, reply, over);
    return planOf(answer, () => new ResourceNotFoundError('workflow definition version', id));
  }

  @Audited('definitions.delete-version', { target: 'definition', param: 'definitionId', note: numbered })
  @ApiDelete('workflow-definitions/:definitionId/version/:version', DELETE)
  async deleteVersionByNumber(
    @Param('definitionId') definitionId: string,
    @Param('version', ParseIntPipe) version: number,
    @Req() request: HttpRequest,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const [found] = await this.persistence.definitions.findVersions({ definitionId, versionOptions: version });
    const notFound = () => new DefinitionNotFoundError({ definitionId, versionOptions: version });
    const over = expectedBy(request);
    if (!found) throw over === undefined ? notFound() : new DefinitionChangedError(definitionId, 'deleted');
    await this.editable.requireVersion(found.id, over);
    const answer = await this.bulk.delete({ definitionVersionIds: [found.id] }, by, reply, over);
    return planOf(answer, notFound);
  }

  @Audited('definitions.delete', { target: 'definition', note: bulkNote('definitionIds') })
  @ApiPost('bulk-actions/delete/workflow-definitions/by-definition-id', DELETE)
  async deleteMany(
    @FromBody(byDefinitionIds) { definitionIds }: read.ReadBy<typeof byDefinitionIds>,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const ids = distinctIds(definitionIds, 'definitionIds') ?? [];
    return this.bulk.delete({ definitionIds: await this.editable.among(ids) }, by, reply);
  }

  @Audited('definitions.delete-version', { target: 'definition-version', note: bulkNote('ids') })
  @ApiPost('bulk-actions/delete/workflow-definitions/by-id', DELETE)
  async deleteVersions(
    @FromBody(byIds) { ids }: read.ReadBy<typeof byIds>,
    @RequestedBy() by: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const definitionVersionIds = await this.editable.amongVersions(distinctIds(ids) ?? []);
    return this.bulk.delete({ definitionVersionIds }, by, reply);
  }
}

/** Without a body when it is done. @throws when there was nothing to do */
function planOf(answer: BulkAnswer & { readonly deleted: number }, notFound: () => Error): BulkAnswer | undefined {
  if (answer.planId !== undefined) return answer;
  if (answer.deleted === 0) throw notFound();
  return undefined;
}
