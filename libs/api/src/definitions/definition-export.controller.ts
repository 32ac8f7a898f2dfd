import { Param, Res, type StreamableFile } from '@nestjs/common';
import { exportFileName, writeExport, type WorkflowDefinition } from '@waymark/core';
import { IWorkflowDefinitionPublisher, IWorkflowDefinitionService, WorkflowPersistence } from '@waymark/runtime';
import { fileAnswer, zipAnswer, type NamedText } from '../answers/file-answer.js';
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

/** Gives definitions out as files. */
@ApiController()
export class DefinitionExportController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly contexts: DefinitionContexts,
  ) {}

  @ApiGet('workflow-definitions/:definitionId/export', READ)
  get(@Param('definitionId') definitionId: string, @FromOptionalBody(exportRequest) request: ExportRequest) {
    return this.one(definitionId, request);
  }

  @ApiPost('workflow-definitions/:definitionId/export', READ)
  post(@Param('definitionId') definitionId: string, @FromOptionalBody(exportRequest) request: ExportRequest) {
    return this.one(definitionId, request);
  }

  @ApiGet('bulk-actions/export/workflow-definitions', READ)
  getMany(@FromOptionalBody(bulkRequest) request: BulkRequest, @Res({ passthrough: true }) reply: HttpReply) {
    return this.many(request, reply);
  }

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
    const found = ids.length === 0 ? [] : (await this.persistence.definitions.findMany({ ids })).items;
    if (found.length === 0) {
      reply.status(204);
      return undefined;
    }
    return this.archive(includeConsumingWorkflows ? [...found, ...(await this.consumersOf(found))] : found);
  }

  private async archive(definitions: readonly WorkflowDefinition[]): Promise<StreamableFile> {
    const unique = new Map(definitions.map((d) => [d.id, d]));
    return zipAnswer(ARCHIVE, await Promise.all([...unique.values()].map((d) => this.file(d))));
  }

  private async consumersOf(definitions: readonly WorkflowDefinition[]): Promise<WorkflowDefinition[]> {
    const ids = await Promise.all(definitions.map((d) => this.publisher.consumers(d.definitionId)));
    const definitionIds = [...new Set(ids.flat())];
    if (definitionIds.length === 0) return [];
    return (await this.persistence.definitions.findMany({ definitionIds, versionOptions: 'Latest' })).items;
  }

  private async file(definition: WorkflowDefinition): Promise<NamedText> {
    const json = writeExport(definition, await this.contexts.for(definition));
    return { name: exportFileName(definition), text: JSON.stringify(json) };
  }
}
