import { setImmediate } from 'node:timers/promises';
import { Param, Req, Res } from '@nestjs/common';
import { Audited } from '../audit/audited.js';
import { requesterOf } from '../bulk/requested-by.js';
import { requirePermission } from '../identity/api-auth.guard.js';
import { PUBLISH_DEFINITIONS } from '../identity/permissions.js';
import { ApiController, ApiPost, ApiPut } from '../module/api-controller.js';
import { FromDefinitionBody, FromQuery } from '../requests/bind.js';
import { BodyKind, bodyLimit } from '../requests/body-limits.js';
import type { HttpReply, HttpRequest } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { readUploads } from '../requests/uploads.js';
import { imported } from './definition-audit.js';
import { DefinitionAnswers } from './definition-answers.js';
import { DefinitionDrafts } from './definition-drafts.js';
import { DefinitionFiles } from './definition-files.js';
import { expectedBy, tag } from './definition-tags.js';

/** All but the first are for Studio, which asks before it replaces what another person has drawn. */
const uploadRequest = read.members({ publish: read.flag, keepDrafts: read.flag, definitionIds: read.names });
type UploadRequest = read.ReadBy<typeof uploadRequest>;

/** `layout` is for designers, which show the answer: Elsa does not have it. */
const importRequest = read.members({ publish: read.flag, layout: read.flag });
type ImportRequest = read.ReadBy<typeof importRequest>;

const WRITE = 'write:workflow-definitions';

const IMPORTED = { target: 'definition', note: imported } as const;

/** Imports definition files as drafts; `?publish=true`, which Elsa lacks, publishes them as well. */
@ApiController('workflow-definitions')
export class DefinitionImportController {
  constructor(
    private readonly files: DefinitionFiles,
    private readonly drafts: DefinitionDrafts,
    private readonly answers: DefinitionAnswers,
  ) {}

  @Audited('definitions.import', IMPORTED)
  @ApiPost('import', WRITE)
  post(
    @FromDefinitionBody(read.dictionary) json: object,
    @FromQuery(importRequest) query: ImportRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.import(json, undefined, query, request, reply);
  }

  @Audited('definitions.import', IMPORTED)
  @ApiPut('import', WRITE)
  put(
    @FromDefinitionBody(read.dictionary) json: object,
    @FromQuery(importRequest) query: ImportRequest,
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
    @FromQuery(importRequest) query: ImportRequest,
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
    @FromQuery(importRequest) query: ImportRequest,
    @Req() request: HttpRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.import(json, definitionId, query, request, reply);
  }

  @Audited('definitions.import', IMPORTED)
  @ApiPost('import-files', WRITE)
  async importFiles(
    @Req() request: HttpRequest,
    @FromQuery(uploadRequest) query: UploadRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    requirePublishing(query, request);
    const uploads = await readUploads(request);
    const imported = await this.files.import(
      uploads,
      bodyLimit(request, BodyKind.Definition),
      query,
      requesterOf(request),
    );
    if (!imported) reply.status(204);
    return imported;
  }

  private async import(
    json: object,
    definitionId: string | undefined,
    query: ImportRequest,
    request: HttpRequest,
    reply: HttpReply,
  ) {
    requirePublishing(query, request);
    const model = await this.drafts.read(json, '');
    const draft = this.drafts.imported(model, definitionId ?? model.definitionId);
    if (draft.definitionId === undefined) reply.status(201);
    // Reading, storing and showing a large definition each take long: lets other requests run in between.
    await setImmediate();
    const { definition, warnings } = await this.drafts.store(draft, query.publish, {
      over: expectedBy(request),
      requestedBy: requesterOf(request),
    });
    tag(reply, definition);
    await setImmediate();
    const answer = await this.answers.model(definition, query.layout);
    return warnings?.length ? { ...answer, warnings } : answer;
  }
}

/** @throws ForbiddenError */
function requirePublishing({ publish }: Pick<UploadRequest, 'publish'>, request: HttpRequest): void {
  if (publish) requirePermission(request, PUBLISH_DEFINITIONS);
}
