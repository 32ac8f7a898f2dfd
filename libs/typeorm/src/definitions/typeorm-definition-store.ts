import type { VersionOptions } from '@waymark/core';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import type { PagedResult, DefinitionVersion, LoadedDefinition } from '@waymark/runtime';
import type {
  DefinitionChange,
  DefinitionChanges,
  DefinitionFilter,
  DefinitionOrder,
  DefinitionPosition,
  DefinitionStore,
  DefinitionUse,
  Page,
} from '@waymark/runtime/adapter';
import { countRows, pageOf } from '../rows/paging.js';
import { DefinitionFeed } from './definition-feed.js';
import { DefinitionReferences } from './definition-references.js';
import { DefinitionWriter } from './definition-writer.js';
import { toDefinition, VERSION } from './definition-rows.js';

const ORDER_COLUMNS: Record<DefinitionOrder['by'], string> = {
  Name: 'name',
  Created: 'created_at',
  Version: 'version',
};

/** A description has no limit, and may be megabytes: a search would read all of them. */
const SEARCHED = ['id', 'definition_id', 'name', 'SUBSTR(description, 1, 4000)'];

export class TypeOrmDefinitionStore implements DefinitionStore {
  private readonly feed: DefinitionFeed;
  private readonly references: DefinitionReferences;
  private readonly writer: DefinitionWriter;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {
    this.feed = new DefinitionFeed(database, tables);
    this.references = new DefinitionReferences(database, tables, this.feed);
    this.writer = new DefinitionWriter(database, tables, this.feed, this.references);
  }

  async find(filter: DefinitionFilter): Promise<LoadedDefinition | undefined> {
    // Of one definition, a version is there once. With the id behind it, MySQL would read and sort all of them.
    const isOfOne = filter.definitionId !== undefined;
    const ending = ` ORDER BY version DESC${isOfOne ? '' : ', id DESC'}`;
    const [row] = await this.select('id, data, revision', filter, ending, { skip: 0, take: 1 });
    return row && toDefinition(row);
  }

  findMany(filter: DefinitionFilter, order?: DefinitionOrder, page?: Page): Promise<PagedResult<LoadedDefinition>> {
    return this.page('id, data, revision', toDefinition, filter, order, page);
  }

  findIds(filter: DefinitionFilter, order?: DefinitionOrder, page?: Page): Promise<PagedResult<string>> {
    return this.page('id', ({ id }) => id as string, filter, order, page);
  }

  private page<T>(
    columns: string,
    read: (row: Row) => T,
    filter: DefinitionFilter,
    order: DefinitionOrder = { by: 'Name', direction: 'Ascending' },
    page: Page | undefined,
  ): Promise<PagedResult<T>> {
    const { orderBy } = this.database.dialect;
    const sorting = [orderBy(ORDER_COLUMNS[order.by], order.direction), orderBy('id', order.direction)].join(', ');
    return pageOf(page, {
      rows: async (window) => (await this.select(columns, filter, ` ORDER BY ${sorting}`, window)).map(read),
      count: (atMost) => this.count(filter, atMost),
    });
  }

  /** @param atMost Where the database stops to count. @default counts all */
  count(filter: DefinitionFilter, atMost?: number): Promise<number> {
    const { where, params } = this.conditions(filter);
    return countRows(this.database, `${this.tables.definitions}${where}`, params, atMost);
  }

  apply(change: DefinitionChange): Promise<void> {
    return this.writer.apply(change);
  }

  async findVersions(filter: DefinitionFilter): Promise<DefinitionVersion[]> {
    const rows = await this.select(VERSION.list, filter, ' ORDER BY definition_id, version');
    return rows.map(VERSION.record);
  }

  findConsumers(definitionId: string): Promise<DefinitionVersion[]> {
    return this.references.findConsumers(definitionId);
  }

  findUses(definitionIds: readonly string[]): Promise<DefinitionUse[]> {
    return this.references.findUses(definitionIds);
  }

  async changeCounter(): Promise<number> {
    return (await this.feed.position()).counter;
  }

  findChanges(since: DefinitionPosition | undefined): Promise<DefinitionChanges> {
    return this.feed.changesSince(since);
  }

  private select(columns: string, filter: DefinitionFilter, ending = '', page?: Page): Promise<readonly Row[]> {
    const { where, params } = this.conditions(filter);
    const limit = page ? ' LIMIT ? OFFSET ?' : '';
    return this.database.read({
      sql: `SELECT ${columns} FROM ${this.tables.definitions}${where}${ending}${limit}`,
      params: page ? [...params, page.take, page.skip] : params,
    });
  }

  private conditions(filter: DefinitionFilter): Conditions {
    const conditions = new Conditions(this.database.dialect)
      .equals('id', filter.id)
      .oneOf('id', filter.ids)
      .equals('definition_id', filter.definitionId)
      .oneOf('definition_id', filter.definitionIds)
      .equals('name', filter.name)
      .equals('materializer_name', filter.materializerName)
      .flag('is_system', filter.isSystem)
      .flag('is_readonly', filter.isReadonly)
      .flag('usable_as_activity', filter.usableAsActivity)
      .contains(SEARCHED, filter.searchTerm);
    if (filter.versionOptions !== undefined) addVersion(conditions, filter.versionOptions);
    return conditions;
  }
}

function addVersion(conditions: Conditions, options: VersionOptions): void {
  switch (options) {
    case 'Latest':
      conditions.add('is_latest = 1');
      return;
    case 'Published':
      conditions.add('is_published = 1');
      return;
    case 'LatestOrPublished':
      conditions.add('(is_latest = 1 OR is_published = 1)');
      return;
    case 'LatestAndPublished':
      conditions.add('is_latest = 1').add('is_published = 1');
      return;
    case 'Draft':
      conditions.add('is_published = 0');
      return;
    case 'AllVersions':
      return;
    default:
      conditions.integer('version', options);
  }
}
