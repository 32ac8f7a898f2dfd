import { Param } from '@nestjs/common';
import type { VersionOptions } from '@waymark/core';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  WorkflowPersistence,
  type LoadedDefinition,
  type WorkflowDefinitionHandle,
} from '@waymark/runtime';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { listAnswer, windowOf } from '../answers/lists.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { FromQuery } from '../requests/bind.js';
import * as read from '../requests/readers.js';
import { DefinitionAnswers } from './definition-answers.js';

const listRequest = read.members({
  versionOptions: read.versionOptions,
  page: read.integer,
  pageSize: read.integerFrom(1),
  orderBy: read.oneOf(['Name', 'Created', 'Version']),
  orderDirection: read.oneOf(['Ascending', 'Descending']),
  searchTerm: read.name,
  definitionIds: read.list(read.name),
  ids: read.list(read.name),
  materializer: read.name,
  isSystem: read.flag,
});
type ListRequest = read.ReadBy<typeof listRequest>;

const versionRequest = read.members({ versionOptions: read.withDefault(read.versionOptions, 'Latest') });
type VersionRequest = { readonly versionOptions: VersionOptions };

const idsRequest = read.members({ ids: read.list(read.name) });
const nameRequest = read.members({ name: read.required(read.name), definitionId: read.name });

const READ = ['read:workflow-definitions', 'read:*'] as const;

/** Looks definitions up. Routes with fixed names stand before those with a parameter in their place. */
@ApiController('workflow-definitions')
export class DefinitionQueriesController {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly answers: DefinitionAnswers,
  ) {}

  @ApiGet('', ...READ)
  async list(@FromQuery(listRequest) request: ListRequest) {
    const { orderBy = 'Name', orderDirection = 'Ascending' } = request;
    const filter = {
      versionOptions: request.versionOptions,
      searchTerm: request.searchTerm,
      definitionIds: request.definitionIds,
      ids: request.ids,
      materializerName: request.materializer,
      isSystem: request.isSystem,
    };
    const order = { by: orderBy, direction: orderDirection };
    const { items, totalCount } = await this.persistence.definitions.findMany(filter, order, windowOf(request));
    return { items: items.map((d) => this.answers.row(d)), totalCount, links: this.answers.listLinks() };
  }

  @ApiGet('many-by-id', ...READ)
  async manyById(@FromQuery(idsRequest) { ids = [] }: read.ReadBy<typeof idsRequest>) {
    if (ids.length === 0) return listAnswer([]);
    const { items } = await this.persistence.definitions.findMany({ ids });
    return listAnswer(await this.answers.models(items));
  }

  @ApiGet('query/count', ...READ)
  async count() {
    return { count: await this.persistence.definitions.count({ versionOptions: 'Latest' }) };
  }

  @ApiGet('validation/is-name-unique', ...READ)
  async isNameUnique(@FromQuery(nameRequest) { name, definitionId }: read.ReadBy<typeof nameRequest>) {
    const { items } = await this.persistence.definitions.findMany({ name, versionOptions: 'LatestOrPublished' });
    return { isUnique: items.every((d) => d.definitionId === definitionId) };
  }

  @ApiGet('by-id/:id', ...READ)
  async byId(@Param('id') id: string) {
    return this.answers.model(await this.require({ definitionVersionId: id }));
  }

  @ApiGet('by-definition-id/:definitionId', ...READ)
  async byDefinitionId(
    @Param('definitionId') definitionId: string,
    @FromQuery(versionRequest) request: VersionRequest,
  ) {
    return this.answers.model(await this.require({ definitionId, versionOptions: request.versionOptions }));
  }

  @ApiGet(':definitionId/versions', ...READ)
  async versions(@Param('definitionId') definitionId: string) {
    const order = { by: 'Version', direction: 'Descending' } as const;
    const { items } = await this.persistence.definitions.findMany({ definitionId }, order);
    if (items.length === 0) throw new ResourceNotFoundError('workflow definition', definitionId);
    return Promise.all(items.map((d) => this.answers.entity(d)));
  }

  @ApiGet(':definitionId/consumers', ...READ)
  async consumers(@Param('definitionId') definitionId: string) {
    await this.require({ definitionId, versionOptions: 'Latest' });
    return { consumingWorkflowDefinitionIds: await this.publisher.consumers(definitionId) };
  }

  @ApiGet(':definitionId', ...READ)
  async one(@Param('definitionId') definitionId: string, @FromQuery(versionRequest) request: VersionRequest) {
    return this.byDefinitionId(definitionId, request);
  }

  private async require(handle: WorkflowDefinitionHandle): Promise<LoadedDefinition> {
    return this.definitions.require(handle);
  }
}
