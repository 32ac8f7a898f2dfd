import { setImmediate } from 'node:timers/promises';
import { Param, Req, Res } from '@nestjs/common';
import { parseDefinitionTextInTurns, type DefinitionModel } from '@waymark/core/adapter';
import { IWorkflowDefinitionPublisher, type DefinitionDraft } from '@waymark/runtime';
import { DefinitionBytesError } from '../answers/api-errors.js';
import { Audited } from '../audit/audited.js';
import { requirePermission } from '../identity/api-auth.guard.js';
import { PUBLISH_DEFINITIONS } from '../identity/permissions.js';
import { ApiController, ApiPost, ApiPut } from '../module/api-controller.js';
import { FromDefinitionBody, FromQuery } from '../requests/bind.js';
import { BodyKind, bodyLimit } from '../requests/body-limits.js';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import { MAX_NAMES } from '../requests/json-text.js';
import * as read from '../requests/readers.js';
import { readUploads } from '../requests/uploads.js';
import { imported } from './definition-audit.js';
import { DefinitionAnswers } from './definition-answers.js';
import { DefinitionDrafts } from './definition-drafts.js';

const publishRequest = read.members({ publish: read.flag });
type PublishRequest = read.ReadBy<typeof publishRequest>;

const WRITE = 'write:workflow-definitions';

const IMPORTED = { target: 'definition', note: imported } as const;

/** Imports definition files as drafts; `?publish=true`, which Elsa lacks, publishes them as well. */
@ApiController('workflow-definitions')
export class DefinitionImportController {
  constructor(
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly drafts: DefinitionDrafts,
    private readonly answers: DefinitionAnswers,
  ) {}

  @Audited('definitions.import', IMPORTED)
  @ApiPost('import', WRITE)
  post(
    @FromDefinitionBody(read.dictionary) json: object,
    @FromQuery(publishRequest) query: PublishRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.import(json, undefined, query, request, reply);
  }

  @Audited('definitions.import', IMPORTED)
  @ApiPut('import', WRITE)
  put(
    @FromDefinitionBody(read.dictionary) json: object,
    @FromQuery(publishRequest) query: PublishRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.import(json, undefined, query, request, reply);
  }

  @Audited('definitions.import', IMPORTED)
  @ApiPost(':definitionId/import', WRITE)
  postAs(
    @Param('definitionId') definitionId: string,
    @FromDefinitionBody(read.dictionary) json: object,
    @FromQuery(publishRequest) query: PublishRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.import(json, definitionId, query, request, reply);
  }

  @Audited('definitions.import', IMPORTED)
  @ApiPut(':definitionId/import', WRITE)
  putAs(
    @Param('definitionId') definitionId: string,
    @FromDefinitionBody(read.dictionary) json: object,
    @FromQuery(publishRequest) query: PublishRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.import(json, definitionId, query, request, reply);
  }

  @Audited('definitions.import', IMPORTED)
  @ApiPost('import-files', WRITE)
  async importFiles(
    @Req() request: HttpRequest,
    @FromQuery(publishRequest) query: PublishRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    requirePublishing(query, request);
    const uploads = await readUploads(request);
    // All are read before the first is stored, so that a broken file changes nothing.
    const models: DefinitionModel[] = [];
    for (const { text } of uploads) models.push(...(await this.readFile(text, request)));
    if (models.length === 0) {
      reply.status(204);
      return undefined;
    }
    for (const model of models) await this.store(this.drafts.imported(model), query);
    return { count: models.length };
  }

  private async import(
    json: object,
    definitionId: string | undefined,
    query: PublishRequest,
    request: HttpRequest,
    reply: HttpReply,
  ) {
    requirePublishing(query, request);
    const model = await this.drafts.read(json, '');
    const draft = this.drafts.imported(model, definitionId ?? model.definitionId);
    if (draft.definitionId === undefined) reply.status(201);
    // Reading, storing and showing a large definition each take long: lets other requests run in between.
    await setImmediate();
    const stored = await this.store(draft, query);
    await setImmediate();
    return this.answers.model(stored);
  }

  private async store(draft: DefinitionDraft, { publish }: PublishRequest) {
    if (!publish) return this.publisher.saveDraft(draft, { keepId: true });
    const result = await this.publisher.saveAndPublish(draft, { keepId: true });
    this.drafts.requirePublished(result);
    return result.definition;
  }

  /** A file holds one definition or a list of them. */
  private async readFile(text: string, request: HttpRequest): Promise<DefinitionModel[]> {
    const { bytes, values: maxValues } = bodyLimit(request, BodyKind.Definition);
    const json = await parseDefinitionTextInTurns(text, { maxValues, maxNames: MAX_NAMES }, setImmediate);
    await setImmediate();
    const models: DefinitionModel[] = [];
    const isLong = Buffer.byteLength(text) > bytes;
    for (const item of Array.isArray(json) ? json : [json]) {
      if (isLong) requireSize(item, bytes);
      models.push(await this.drafts.read(item, ''));
      // Lets other requests run.
      await setImmediate();
    }
    return models;
  }
}

/** @throws DefinitionBytesError */
function requireSize(definition: unknown, limit: number): void {
  const size = Buffer.byteLength(JSON.stringify(definition));
  if (size > limit) throw new DefinitionBytesError(size, limit);
}

/** @throws ForbiddenError */
function requirePublishing({ publish }: PublishRequest, request: HttpRequest): void {
  if (publish) requirePermission(request, PUBLISH_DEFINITIONS);
}
