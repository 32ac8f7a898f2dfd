import { Param, Res, type StreamableFile } from '@nestjs/common';
import { type WorkflowDefinition } from '@waymark/core';
import { exportFileName, writeExport } from '@waymark/core/adapter';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  WorkflowPersistence,
  type DefinitionVersion,
} from '@waymark/runtime';

import { fileAnswer } from '../answers/file-answer.js';
import { zipAnswer } from '../answers/stream-answer.js';
import type { NamedText } from '../answers/zipped.js';
import { distinctIds } from '../bulk/bulk-answers.js';
import { AnswersWhole } from '../answers/whole-answers.interceptor.js';
import { ApiController, ApiGet, ApiPost } from '../module/api-controller.js';
import { FromOptionalBody } from '../requests/bind.js';
import type { HttpReply } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { DefinitionContexts } from './definition-contexts.js';

const exportRequest = read.members({
  versionOptions: read.withDefault(read.versionOptions, 'Latest'),
  includeConsumingWorkflows: read.flag,
});
type ExportRequest = read.ReadBy<typeof exportRequest>;

const bulkRequest = read.members({ ids: read.list(read.name), includeConsumingWorkflows: read.flag });
type BulkRequest = read.ReadBy<typeof bulkRequest>;

const READ = 'read:workflow-definitions';
const ARCHIVE = 'workflow-definitions.zip';

/** Exports definitions as files. */
@ApiController()
export class DefinitionExportController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly contexts: DefinitionContexts,
  ) {}

  @AnswersWhole()
  @ApiGet('workflow-definitions/:definitionId/export', READ)
  get(@Param('definitionId') definitionId: string, @FromOptionalBody(exportRequest) request: ExportRequest) {
    return this.one(definitionId, request);
  }

  @AnswersWhole()
  @ApiPost('workflow-definitions/:definitionId/export', READ)
  post(@Param('definitionId') definitionId: string, @FromOptionalBody(exportRequest) request: ExportRequest) {
    return this.one(definitionId, request);
  }

  @AnswersWhole()
  @ApiGet('bulk-actions/export/workflow-definitions', READ)
  getMany(@FromOptionalBody(bulkRequest) request: BulkRequest, @Res({ passthrough: true }) reply: HttpReply) {
    return this.many(request, reply);
  }

  @AnswersWhole()
  @ApiPost('bulk-actions/export/workflow-definitions', READ)
  postMany(@FromOptionalBody(bulkRequest) request: BulkRequest, @Res({ passthrough: true }) reply: HttpReply) {
    return this.many(request, reply);
  }

  private async one(
    definitionId: string,
    { versionOptions, includeConsumingWorkflows }: ExportRequest,
  ): Promise<StreamableFile> {
    const definition = await this.definitions.require({ definitionId, versionOptions });
    if (includeConsumingWorkflows) return this.archive([...(await this.consumersOf([definition])), definition]);
    const file = await this.file(definition);
    return fileAnswer(file.name, file.text);
  }

  private async many(
    { ids = [], includeConsumingWorkflows }: BulkRequest,
    reply: HttpReply,
  ): Promise<StreamableFile | undefined> {
    const asked = distinctIds(ids) ?? [];
    const found = asked.length === 0 ? [] : await this.persistence.definitions.findVersions({ ids: asked });
    if (found.length === 0) {
      reply.status(204);
      return undefined;
    }
    return this.archive(includeConsumingWorkflows ? [...found, ...(await this.consumersOf(found))] : found);
  }

  private archive(versions: readonly { readonly id: string }[]): Promise<StreamableFile> {
    return zipAnswer(ARCHIVE, this.files(new Set(versions.map(({ id }) => id))));
  }

  /** One at a time, and not from the cache, which is for definitions in use. Definitions deleted in the meantime are left out. */
  private async *files(ids: ReadonlySet<string>): AsyncGenerator<NamedText, void> {
    for (const id of ids) {
      const definition = await this.persistence.definitions.find({ id });
      if (definition) yield await this.file(definition);
    }
  }

  private async consumersOf(versions: readonly { readonly definitionId: string }[]): Promise<DefinitionVersion[]> {
    const consumers = new Set<string>();
    for (const definitionId of new Set(versions.map((version) => version.definitionId)))
      for (const id of await this.publisher.consumers(definitionId)) consumers.add(id);
    if (consumers.size === 0) return [];
    return this.persistence.definitions.findVersions({ definitionIds: [...consumers], versionOptions: 'Latest' });
  }

  private async file(definition: WorkflowDefinition): Promise<NamedText> {
    const json = writeExport(definition, await this.contexts.for(definition));
    return { name: exportFileName(definition), text: JSON.stringify(json) };
  }
}
