import { setImmediate } from 'node:timers/promises';
import { Param, ParseIntPipe, Res } from '@nestjs/common';
import { IWorkflowDefinitionPublisher } from '@waymark/runtime';
import { JsonWithCharset } from '../answers/json-type.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { ApiPath } from '../requests/api-path.js';
import { FromImport, RequiresJson } from '../requests/bind.js';
import type { HttpReply } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { DefinitionAnswers } from './definition-answers.js';
import { DefinitionDrafts } from './definition-drafts.js';
import { EditableDefinitions } from './editable-definitions.js';

const saveRequest = read.members({ model: read.required(read.dictionary), publish: read.flag });
type SaveRequest = read.ReadBy<typeof saveRequest>;

/** Saves, publishes and retracts. */
@ApiController('workflow-definitions')
export class DefinitionPublishingController {
  constructor(
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly drafts: DefinitionDrafts,
    private readonly answers: DefinitionAnswers,
    private readonly editable: EditableDefinitions,
    private readonly path: ApiPath,
  ) {}

  @JsonWithCharset()
  @ApiPost('', 'write:workflow-definitions')
  async save(@FromImport(saveRequest) { model, publish }: SaveRequest) {
    const draft = this.drafts.saved(this.drafts.read(model, 'model'));
    // Reading, storing and showing a large definition take long each: other requests get their turn between them.
    await setImmediate();
    if (publish) return this.drafts.published(await this.publisher.saveAndPublish(draft));
    const saved = await this.publisher.saveDraft(draft);
    await setImmediate();
    return {
      workflowDefinition: await this.answers.model(saved),
      alreadyPublished: false,
      consumingWorkflowCount: 0,
      validationErrors: [],
    };
  }

  @RequiresJson()
  @ApiPost(':definitionId/publish', 'publish:workflow-definitions')
  async publish(@Param('definitionId') definitionId: string) {
    await this.editable.require(definitionId);
    return this.drafts.published(await this.publisher.publish(definitionId));
  }

  @RequiresJson()
  @ApiPost(':definitionId/retract', 'retract:workflow-definitions')
  async retract(@Param('definitionId') definitionId: string) {
    await this.editable.require(definitionId);
    return this.answers.model(await this.publisher.retract(definitionId));
  }

  @ApiPost(':definitionId/revert/:version', 'publish:workflow-definitions')
  async revert(
    @Param('definitionId') definitionId: string,
    @Param('version', ParseIntPipe) version: number,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    await this.editable.require(definitionId);
    const reverted = await this.publisher.revert(definitionId, version);
    reply.status(201);
    reply.header('Location', `${this.path.base}/workflow-definitions/by-id/${encodeURIComponent(reverted.id)}`);
    return this.answers.summary(reverted);
  }

  @RequiresJson()
  @ApiPost(':definitionId/update-references', 'publish:workflow-definitions')
  async updateReferences(@Param('definitionId') definitionId: string) {
    await this.editable.require(definitionId);
    const updated = await this.publisher.updateReferences(definitionId);
    return { affectedWorkflows: updated.map((d) => d.name ?? d.definitionId) };
  }
}
