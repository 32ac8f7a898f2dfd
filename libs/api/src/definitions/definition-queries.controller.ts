import { Param, Res } from '@nestjs/common';
import { isWaymarkError, type StoredValueError, type VersionOptions } from '@waymark/core';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  WorkflowPersistence,
  type WorkflowDefinitionHandle,
  type DefinitionVersion,
  type LoadedDefinition,
} from '@waymark/runtime';
import { type DefinitionFilter, type DefinitionOrder, type Page } from '@waymark/runtime/adapter';
import { ResourceNotFoundError } from '../answers/api-errors.js';
import { listAnswer, windowOf } from '../answers/lists.js';
import { arrayStream, listStream } from '../answers/stream-answer.js';
import { distinctIds } from '../bulk/bulk-answers.js';
import { AnswersWhole, ReadsWhole } from '../answers/whole-answers.interceptor.js';
import { ApiController, ApiGet } from '../module/api-controller.js';
import { FromQuery } from '../requests/bind.js';
import type { HttpReply } from '../requests/http-request.js';
import * as read from '../requests/readers.js';
import { DefinitionAnswers } from './definition-answers.js';
import { tag } from './definition-tags.js';

const listRequest = read.members({
  versionOptions: read.versionOptions,
  page: read.integer,
  pageSize: read.integerFrom(1),
  orderBy: read.oneOf(['Name', 'Created', 'Version']),
  orderDirection: read.oneOf(['Ascending', 'Descending']),
  searchTerm: read.searchTerm,
  definitionIds: read.names,
  ids: read.names,
  materializer: read.name,
  isSystem: read.flag,
});
type ListRequest = read.ReadBy<typeof listRequest>;

/** Large, because clients of Elsa do not page where they show the names of all definitions. */
const DEFAULT_DEFINITIONS = 1000;
/** Definitions that are read with their content at once: a few at first, since they may be large, and more where that is fast. */
const FEW_AT_ONCE = 8;
const MOST_AT_ONCE = 50;
const TIME_AT_ONCE_MS = 50;

/** `layout` is for designers: Elsa does not have it. */
const layoutRequest = read.members({ layout: read.flag });
type LayoutRequest = read.ReadBy<typeof layoutRequest>;
const versionRequest = read.members({
  versionOptions: read.withDefault(read.versionOptions, 'Latest'),
  layout: read.flag,
});
type VersionRequest = LayoutRequest & { readonly versionOptions: VersionOptions };

const idsRequest = read.members({ ids: read.names });
const nameRequest = read.members({ name: read.required(read.typed), definitionId: read.name });

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

  @ReadsWhole()
  @ApiGet('', ...READ)
  async list(@FromQuery(listRequest) request: ListRequest) {
    const { orderBy = 'Name', orderDirection = orderBy === 'Name' ? 'Ascending' : 'Descending' } = request;
    const filter = {
      versionOptions: request.versionOptions,
      searchTerm: request.searchTerm,
      definitionIds: request.definitionIds,
      ids: request.ids,
      materializerName: request.materializer,
      isSystem: request.isSystem,
    };
    const order = { by: orderBy, direction: orderDirection };
    // Definitions that are asked for by id are not paged.
    const window = windowOf(request, Math.max(DEFAULT_DEFINITIONS, distinctIds(request.ids)?.length ?? 0));
    const { items, totalCount } = await this.rows(filter, order, window);
    return { items, totalCount, links: this.answers.listLinks() };
  }

  @AnswersWhole()
  @ApiGet('many-by-id', ...READ)
  async manyById(@FromQuery(idsRequest) { ids = [] }: read.ReadBy<typeof idsRequest>) {
    if (ids.length === 0) return listAnswer([]);
    const versions = await this.persistence.definitions.findVersions({ ids });
    return listStream('items', this.models(versions), { count: versions.length });
  }

  @ApiGet('query/count', ...READ)
  async count() {
    return { count: await this.persistence.definitions.count({ versionOptions: 'Latest' }) };
  }

  @ApiGet('validation/is-name-unique', ...READ)
  async isNameUnique(@FromQuery(nameRequest) { name, definitionId }: read.ReadBy<typeof nameRequest>) {
    const same = await this.persistence.definitions.findVersions({ name, versionOptions: 'LatestOrPublished' });
    return { isUnique: same.every((d) => d.definitionId === definitionId) };
  }

  @AnswersWhole()
  @ApiGet('by-id/:id', ...READ)
  async byId(
    @Param('id') id: string,
    @FromQuery(layoutRequest) { layout }: LayoutRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.tagged(await this.require({ definitionVersionId: id }), layout, reply);
  }

  @AnswersWhole()
  @ApiGet('by-definition-id/:definitionId', ...READ)
  async byDefinitionId(
    @Param('definitionId') definitionId: string,
    @FromQuery(versionRequest) request: VersionRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    const { versionOptions, layout } = request;
    return this.tagged(await this.require({ definitionId, versionOptions }), layout, reply);
  }

  @AnswersWhole()
  @ApiGet(':definitionId/versions', ...READ)
  async versions(@Param('definitionId') definitionId: string) {
    const versions = await this.persistence.definitions.findVersions({ definitionId });
    if (versions.length === 0) throw new ResourceNotFoundError('workflow definition', definitionId);
    return arrayStream(this.entities(versions.toReversed()));
  }

  @ApiGet(':definitionId/consumers', ...READ)
  async consumers(@Param('definitionId') definitionId: string) {
    await this.require({ definitionId, versionOptions: 'Latest' });
    return { consumingWorkflowDefinitionIds: await this.publisher.consumers(definitionId) };
  }

  @AnswersWhole()
  @ApiGet(':definitionId', ...READ)
  async one(
    @Param('definitionId') definitionId: string,
    @FromQuery(versionRequest) request: VersionRequest,
    @Res({ passthrough: true }) reply: HttpReply,
  ) {
    return this.byDefinitionId(definitionId, request, reply);
  }

  private tagged(definition: LoadedDefinition, layout: boolean | undefined, reply: HttpReply): Promise<object> {
    tag(reply, definition);
    return this.answers.model(definition, layout);
  }

  /**
   * Reads some at a time: definitions are read with their content, which rows do not show. Which ones, is asked once: by their places in the
   * list, one that is created or renamed meanwhile would have others shown twice, or left out. Those that are deleted meanwhile are left out.
   */
  private async rows(filter: DefinitionFilter, order: DefinitionOrder, page: Page) {
    const { items: ids, totalCount } = await this.persistence.definitions.findIds(filter, order, page);
    const items: object[] = [];
    let atOnce = FEW_AT_ONCE;
    for (let from = 0, to = 0; from < ids.length; from = to) {
      to = Math.min(ids.length, from + atOnce);
      const startedAt = performance.now();
      items.push(...(await this.readable(ids.slice(from, to))));
      const each = (performance.now() - startedAt) / (to - from);
      atOnce = Math.min(MOST_AT_ONCE, Math.max(1, Math.floor(TIME_AT_ONCE_MS / each)));
    }
    return { items, totalCount };
  }

  /** One whose content was damaged is shown by what its other columns say: it would take the whole list along. */
  private async readable(ids: readonly string[]): Promise<object[]> {
    const { definitions } = this.persistence;
    try {
      const { items } = await definitions.findMany({ ids });
      const found = new Map(items.map((definition) => [definition.id, definition]));
      return ids.flatMap((id) => (found.has(id) ? [this.answers.row(found.get(id)!)] : []));
    } catch (error) {
      if (!isWaymarkError(error, 'WM1054') || (error as StoredValueError).rowId === undefined) throw error;
      if (ids.length === 1)
        return (await definitions.findVersions({ ids })).map((version) => this.answers.damagedRow(version, error));
    }
    const rows: object[] = [];
    for (const id of ids) rows.push(...(await this.readable([id])));
    return rows;
  }

  /** One at a time. */
  private async *models(versions: readonly DefinitionVersion[]): AsyncGenerator<object[], void> {
    for (const { id } of versions) {
      const definition = await this.persistence.definitions.find({ id });
      if (definition) yield [await this.answers.model(definition)];
    }
  }

  /** One at a time: an old definition may have many versions, and each comes with its content. */
  private async *entities(versions: readonly DefinitionVersion[]): AsyncGenerator<object[], void> {
    for (const { id } of versions) {
      const definition = await this.persistence.definitions.find({ id });
      if (definition) yield [await this.answers.entity(definition)];
    }
  }

  private async require(handle: WorkflowDefinitionHandle): Promise<LoadedDefinition> {
    return this.definitions.require(handle);
  }
}
