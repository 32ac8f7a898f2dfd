import { setImmediate } from 'node:timers/promises';
import { Param, ParseIntPipe, Req, Res } from '@nestjs/common';
import { IWorkflowDefinitionPublisher, type PlanRequester, type PublishResult } from '@waymark/runtime';
import { JsonWithCharset } from '../answers/json-type.js';
import { Audited, NotAudited } from '../audit/audited.js';
import { accepted, bulkPlanPath } from '../bulk/plan-answers.js';
import { RequestedBy, requesterOf } from '../bulk/requested-by.js';
import { requirePermission } from '../identity/api-auth.guard.js';
import { PUBLISH_DEFINITIONS } from '../identity/permissions.js';
import { ApiController, ApiPost } from '../module/api-controller.js';
import { ApiPath } from '../requests/api-path.js';
import { FromDefinitionBody, RequiresJson } from '../requests/bind.js';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import {
  consumersUpdated,
  publishedVersion,
  revertedVersion,
  savedVersion,
  versionAnswered,
} from './definition-audit.js';
import { DefinitionAnswers } from './definition-answers.js';
import { DefinitionDrafts } from './definition-drafts.js';
import { expectedBy, tag } from './definition-tags.js';
import { EditableDefinitions } from './editable-definitions.js';
import { keepUnmentioned } from './unmentioned-members.js';

const validateRequest = read.members({ model: read.required(read.dictionary) });
const saveRequest = read.members({ model: read.required(read.dictionary), publish: read.flag });
type SaveRequest = read.ReadBy<typeof saveRequest>;

const DEFINITION = { target: 'definition', param: 'definitionId' } as const;

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

  @Audited('definitions.save', { target: 'definition', note: savedVersion })
  @JsonWithCharset()
  @ApiPost('', 'write:workflow-definitions')
  async save(
    @FromDefinitionBody(saveRequest) { model, publish }: SaveRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    if (publish) requirePermission(request, PUBLISH_DEFINITIONS);
    const draft = this.drafts.saved(await this.drafts.read(model, 'model'));
    // Reading, storing and showing a large definition take long each: other requests get their turn between them.
    await setImmediate();
    const options = { over: expectedBy(request), complete: keepUnmentioned(model) };
    if (publish)
      return this.published(
        await this.publisher.saveAndPublish(draft, { ...options, requestedBy: requesterOf(request) }),
        reply,
      );
    // Elsa Studio saves half a second after an edit, also what the user has published meanwhile.
    const saved = await this.publisher.saveDraft(draft, { ...options, unlessSame: options.complete !== undefined });
    tag(reply, saved);
    await setImmediate();
    return {
      workflowDefinition: await this.answers.model(saved),
      alreadyPublished: false,
      consumingWorkflowCount: 0,
      validationErrors: [],
    };
  }

  /** Nothing is saved. Triggers are worked out as for a publish, so it takes what saving takes. */
  @NotAudited('nothing is saved')
  @ApiPost('validate', 'write:workflow-definitions')
  async validate(@FromDefinitionBody(validateRequest) { model }: read.ReadBy<typeof validateRequest>) {
    const draft = this.drafts.saved(await this.drafts.read(model, 'model'));
    await setImmediate();
    const { problems: validationErrors, warnings } = await this.publisher.validate(draft);
    return { isValid: validationErrors.length === 0, validationErrors, warnings };
  }

  @Audited('definitions.publish', { ...DEFINITION, note: publishedVersion })
  @RequiresJson()
  @ApiPost(':definitionId/publish', PUBLISH_DEFINITIONS)
  async publish(
    @Param('definitionId') definitionId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const over = expectedBy(request);
    await this.editable.require(definitionId, over);
    return this.published(
      await this.publisher.publish(definitionId, { over, requestedBy: requesterOf(request) }),
      reply,
    );
  }

  @Audited('definitions.retract', { ...DEFINITION, note: versionAnswered })
  @RequiresJson()
  @ApiPost(':definitionId/retract', 'retract:workflow-definitions')
  async retract(
    @Param('definitionId') definitionId: string,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const over = expectedBy(request);
    await this.editable.require(definitionId, over);
    const retracted = await this.publisher.retract(definitionId, { over });
    tag(reply, retracted);
    return this.answers.model(retracted);
  }

  @Audited('definitions.revert', { ...DEFINITION, note: revertedVersion })
  @ApiPost(':definitionId/revert/:version', PUBLISH_DEFINITIONS)
  async revert(
    @Param('definitionId') definitionId: string,
    @Param('version', ParseIntPipe) version: number,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const over = expectedBy(request);
    await this.editable.require(definitionId, over);
    const reverted = await this.publisher.revert(definitionId, version, { over });
    tag(reply, reverted);
    reply.status(201);
    reply.header('Location', `${this.path.base}/workflow-definitions/by-id/${encodeURIComponent(reverted.id)}`);
    return this.answers.summary(reverted);
  }

  @Audited('definitions.update-references', { ...DEFINITION, note: consumersUpdated })
  @RequiresJson()
  @ApiPost(':definitionId/update-references', PUBLISH_DEFINITIONS)
  async updateReferences(
    @Param('definitionId') definitionId: string,
    @RequestedBy() requestedBy: PlanRequester,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    await this.editable.require(definitionId);
    const { updated, failures, planId } = await this.publisher.updateReferences(definitionId, { requestedBy });
    if (planId !== undefined) accepted(reply, bulkPlanPath(this.path, planId));
    const affectedWorkflows = updated.map((d) => d.name ?? d.definitionId);
    // Unknown to Elsa: left out unless they are set.
    return { affectedWorkflows, ...(planId !== undefined && { planId }), ...(failures.length > 0 && { failures }) };
  }

  private published(result: PublishResult, reply: HttpReply): Promise<object> {
    if (result.succeeded) tag(reply, result.definition);
    return this.drafts.published(result);
  }
}
