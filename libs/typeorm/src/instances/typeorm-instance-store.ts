import type { WorkflowState } from '@waymark/core';
import { deserialize } from '@waymark/core/adapter';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { lookups } from '../database/lookups.js';
import { chunksOf, type Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import { sorted } from '../dialect/dialect.js';
import { CANDIDATES_PER_ROW } from '../dialect/lock-free-rows.js';
import type { Tables } from '../dialect/tables.js';
import { type InstanceFilter } from '@waymark/runtime';
import {
  type IdPage,
  type InstanceOrder,
  type InstancePage,
  type InstancesPage,
  type InstanceStore,
  type InterruptedInstanceIds,
  type InterruptedOptions,
  type LoadedInstance,
  type LoadOptions,
  type Page,
  loopTurns,
  readPlace,
  writePlace,
} from '@waymark/runtime/adapter';
import { placedAt } from '../rows/column-map.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { countRows, pageOf } from '../rows/paging.js';
import { countingRunning, definitionOfRunning } from './count-running.js';
import { findInterrupted } from './find-interrupted.js';
import { instanceConditions, isOfFew, SEARCHED } from './instance-conditions.js';
import { addPlace, sorting } from './instance-window.js';
import { INSTANCE, instanceInLines, RESUMED_LIST, resumedInstance, SUMMARY } from './instance-rows.js';
import { HEAD_OF_STATE, isRowOf, type RecentState, type RecentStates } from './recent-states.js';
import { stateOf } from './state-parts.js';
import { readStateInLines } from './state-text.js';
import { nextIds } from './next-ids.js';
import { touching } from './touch-instances.js';
import { deletion, findingFinished, purging, purgingKeys } from './remove-instances.js';

// One transaction each, so that removing a hundred thousand instances locks nothing for long.
const DELETE_CHUNK = 200;

/** Rows before a page, from which on it is found in two steps. */
const DEEP = 1_000;

/** A state of so many characters takes so long to read that others get their turn in between. */
const LARGE = 500_000;

/** Most older instances with the given correlation id that a search finds. */
const MOST_NAMED = 1_000;

interface Searched {
  /** New conditions for each query, which adds further ones. */
  readonly conditions: () => Conditions;
  /** What the answer says of them. */
  readonly bounds?: Pick<InstancesPage, 'searchedSince' | 'searchedUntil'>;
  /** Put after the table. */
  readonly hint?: string;
}

export class TypeOrmInstanceStore implements InstanceStore {
  private readonly find: (id: string) => Promise<Row | undefined>;
  private readonly findResumed: (id: string) => Promise<Row | undefined>;
  private readonly findHolder: (activationKey: string) => Promise<string | undefined>;
  private readonly findUser: (requestKey: string) => Promise<string | undefined>;
  private readonly countRunning: (definitionId: string) => Promise<number>;
  private readonly findRevision: (id: string) => Promise<Row | undefined>;
  private readonly findHead: (id: string) => Promise<Row | undefined>;

  /** @param recent what this node has written last */
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
    private readonly recent: RecentStates,
  ) {
    this.find = lookups(database, (ids) => this.findRows(ids, INSTANCE.list));
    this.findResumed = lookups(database, (ids) => this.findRows(ids, RESUMED_LIST));
    this.findHolder = lookups(database, (keys) => this.instancesOf(keys, tables.activation_keys, 'activation_key'));
    this.findUser = lookups(database, (keys) => this.instancesOf(keys, tables.request_keys, 'request_key'));
    this.countRunning = countingRunning(database, tables.instances);
    this.findRevision = lookups(database, (ids) => this.findRows(ids, 'id, revision'));
    this.findHead = lookups(database, (ids) => this.findRows(ids, `${SUMMARY.list}, ${HEAD_OF_STATE}`));
  }

  async load(id: string, { mayRest = false }: LoadOptions = {}): Promise<LoadedInstance | undefined> {
    // SQLite reads in this turn.
    const turn = loopTurns.begin();
    if (turn) await turn;
    const known = mayRest ? this.recent.get(id) : undefined;
    const recent = known && (await this.loadRecent(id, known));
    if (recent) return recent;
    const row = await (mayRest ? this.findResumed(id) : this.find(id));
    if (!row) return undefined;
    const state = toText(row.state);
    const later = loopTurns.goOn(state.length);
    if (later) await later;
    // Without long lists there are no parts, and a pause would only have several large states go on in one turn.
    const hasParts = state.length >= LARGE && state.includes('\n');
    const pause = () => loopTurns.goOn();
    try {
      if (!mayRest) return hasParts ? await instanceInLines(row, pause) : INSTANCE.record(row);
      return resumedInstance(row, hasParts ? await readStateInLines(state, pause) : deserialize<WorkflowState>(state));
    } catch (error) {
      throw placedAt('column "state"', row, error);
    }
  }

  /** Undefined: another caller has changed or removed it. */
  private async loadRecent(id: string, known: RecentState): Promise<LoadedInstance | undefined> {
    const row = await this.findHead(id);
    const summary = row && SUMMARY.record(row);
    if (summary && isRowOf(known, row, summary))
      return { ...summary, state: stateOf(known.parts), revision: known.revision };
    this.recent.forget(id);
    return undefined;
  }

  async readRevision(id: string): Promise<number | undefined> {
    const row = await this.findRevision(id);
    return row && toNumber(row.revision);
  }

  findKeyHolder(activationKey: string): Promise<string | undefined> {
    return this.findHolder(activationKey);
  }

  findKeyUser(requestKey: string): Promise<string | undefined> {
    return this.findUser(requestKey);
  }

  private async instancesOf(
    keys: readonly string[],
    table: string,
    column: 'activation_key' | 'request_key',
  ): Promise<(string | undefined)[]> {
    const { where, params } = new Conditions(this.database.dialect).oneOf(column, keys);
    const rows = await this.database.read({ sql: `SELECT ${column}, instance_id FROM ${table}${where}`, params });
    const ids = new Map(rows.map((row) => [toText(row[column]), toText(row.instance_id)]));
    return keys.map((key) => ids.get(key));
  }

  async touch(ids: readonly string[], now?: Date): Promise<void> {
    await this.database.transact(() => touching(this.database.dialect, this.tables, ids, now));
  }

  async findInterrupted(options: InterruptedOptions): Promise<InterruptedInstanceIds> {
    return findInterrupted(this.database, this.tables, options);
  }

  async findMany(
    filter: InstanceFilter,
    order: InstanceOrder = { by: 'Created', direction: 'Descending' },
    page?: InstancePage,
  ): Promise<InstancesPage> {
    const place = page?.after === undefined ? undefined : readPlace(page.after, order);
    const { conditions, bounds, hint } = await this.searched(filter, order, page?.searchAmong);
    // What has incidents is few among all, and has to be sorted; and so has what is in any other order than that of an index.
    const isDeep = page !== undefined && (page.skip >= DEEP || filter.hasIncidents === true || order.by !== 'Created');
    const { dialect } = this.database;
    const found = await pageOf(page, {
      rows: async (window) => {
        const shown = conditions();
        if (place) addPlace(shown, order, place);
        const sort = sorting(dialect, order);
        // By what MySQL guesses of a table that grows, it may read and sort all of it for the first page.
        const isFirst = page !== undefined && shown.where === '' && order.by === 'Created';
        const rows = isDeep
          ? await this.inTwoSteps(shown, sort, window, hint)
          : await this.select(
              SUMMARY.list,
              shown,
              sort,
              window,
              isFirst ? dialect.byIndex(this.tables.instances, 'created_at') : hint,
            );
        return rows.map(SUMMARY.record);
      },
      count: (atMost) => this.countOf(conditions(), atMost, hint),
      isPart: place !== undefined,
    });
    const last = page && found.items.length === page.take ? found.items.at(-1) : undefined;
    return { ...found, ...(last && { next: writePlace(last, order) }), ...bounds };
  }

  /** The conditions of a filter, where not all that match are read: see `InstancePage.searchAmong`. */
  private async searched(filter: InstanceFilter, order: InstanceOrder, among: number | undefined): Promise<Searched> {
    const all = { conditions: () => instanceConditions(this.database.dialect, filter) };
    if (among === undefined) return all;
    if (filter.searchTerm !== undefined || filter.nameContains !== undefined)
      return (await this.searchedAmong(filter, among)) ?? all;
    return order.by === 'Created' ? all : ((await this.sortedAmong(filter, order, among)) ?? all);
  }

  /**
   * For orders without an index, which bursts would have to write. What was done first is looked for among what was created first.
   * Undefined: there are no more than that.
   */
  private async sortedAmong(
    filter: InstanceFilter,
    order: InstanceOrder,
    among: number,
  ): Promise<Searched | undefined> {
    const { dialect } = this.database;
    const matching = instanceConditions(dialect, filter);
    const isLatest = order.by === 'Name' || order.direction === 'Descending';
    const byAge = ` ORDER BY ${sorted('created_at', isLatest ? 'Descending' : 'Ascending')}`;
    const [row] = await this.select('created_at', matching, byAge, { skip: among, take: 1 });
    if (!row) return undefined;
    const end = toNumber(row.created_at);
    return {
      conditions: () => instanceConditions(dialect, filter).add(`created_at ${isLatest ? '>=' : '<='} ?`, end),
      bounds: isLatest ? { searchedSince: new Date(end) } : { searchedUntil: new Date(end) },
      hint: matching.where === '' ? dialect.byIndex(this.tables.instances, 'created_at') : '',
    };
  }

  /** Looks for a term in the latest instances only. Undefined: there are no more than that. */
  private async searchedAmong(filter: InstanceFilter, among: number): Promise<Searched | undefined> {
    const { dialect } = this.database;
    const { searchTerm, nameContains, ...others } = filter;
    const before = instanceConditions(dialect, others);
    const [row] = await this.select('created_at', before, ' ORDER BY created_at DESC', { skip: among, take: 1 });
    if (!row) return undefined;
    const since = toNumber(row.created_at);
    const named =
      searchTerm === undefined
        ? await this.named(others, ['name'], nameContains!, since)
        : await this.named({ ...others, nameContains }, ['id', 'correlation_id'], searchTerm, since);
    // MySQL would read the whole table, states included, rather than a tenth of its rows by an index.
    const isRange = named.length === 0 && before.where === '';
    const hint = isRange ? dialect.byIndex(this.tables.instances, 'created_at') : '';
    const conditions = (): Conditions =>
      named.length === 0
        ? instanceConditions(dialect, filter).add('created_at >= ?', since)
        : instanceConditions(dialect, others).anyOf(
            new Conditions(dialect)
              .contains(SEARCHED, searchTerm)
              .contains(['name'], nameContains)
              .add('created_at >= ?', since),
            new Conditions(dialect).oneOf('id', named),
          );
    return { conditions, bounds: { searchedSince: new Date(since) }, hint };
  }

  /** Ids of older instances that have the term in one of the columns, as a whole. */
  private async named(
    others: InstanceFilter,
    columns: readonly string[],
    term: string,
    before: number,
  ): Promise<string[]> {
    const found = columns.map((column) => {
      // Unlike an id, a name may be that of most instances: the database chooses between its index and those of other conditions.
      const hasFew = column !== 'name' || isOfFew(others);
      const conditions = instanceConditions(this.database.dialect, others, hasFew).equals(column, term);
      return this.select('id', conditions.add('created_at < ?', before), ' ORDER BY id', { skip: 0, take: MOST_NAMED });
    });
    return (await Promise.all(found)).flat().map((row) => toText(row.id));
  }

  async findIds(filter: InstanceFilter, page?: IdPage): Promise<string[]> {
    if (page) return nextIds(this.database, this.tables.instances, filter, page);
    const { where, params } = instanceConditions(this.database.dialect, filter);
    const rows = await this.database.read({
      sql: `SELECT id FROM ${this.tables.instances}${where} ORDER BY id`,
      params,
    });
    return rows.map((row) => toText(row.id));
  }

  /** @param atMost Where the database stops to count. @default counts all */
  async count(filter: InstanceFilter, atMost?: number): Promise<number> {
    const definitionId = atMost === undefined ? definitionOfRunning(filter) : undefined;
    if (definitionId !== undefined) return this.countRunning(definitionId);
    return this.countOf(instanceConditions(this.database.dialect, filter), atMost);
  }

  /** One child is looked for, by its index: without the limit, PostgreSQL may read all that run first. */
  private get hasNoChildToRepair(): string {
    const { instances } = this.tables;
    const child = `SELECT 1 FROM ${instances} c WHERE c.parent_instance_id = ${instances}.id AND c.status = 'Running' LIMIT 1`;
    return `(sub_status <> 'Faulted' OR (${child}) IS NULL)`;
  }

  private countOf({ where, params }: Conditions, atMost: number | undefined, hint = ''): Promise<number> {
    return countRows(this.database, `${this.tables.instances}${hint}${where}`, params, atMost);
  }

  async delete(ids: readonly string[]): Promise<number> {
    for (const id of ids) this.recent.forget(id);
    const { dialect } = this.database;
    let count = 0;
    for (const chunk of chunksOf([...new Set(ids)].sort(), DELETE_CHUNK)) {
      // What has finished stays so.
      const parents = await this.database.read(findingFinished(dialect, this.tables, chunk));
      const ended = parents.map((row) => toText(row.id));
      const [instances] = await this.database.transact(() => inOneGo(deletion(dialect, this.tables, chunk, ended)));
      count += instances?.affected ?? 0;
    }
    return count;
  }

  async purge(filter: InstanceFilter, limit: number): Promise<string[]> {
    const { dialect } = this.database;
    const isOfOne = filter.definitionIds?.length === 1;
    // For all, not by an index of the status, by which SQLite would read and sort all that have finished, for each batch.
    const finished = instanceConditions(dialect, filter)
      .add(isOfOne ? "status = 'Finished'" : "COALESCE(status, '') = 'Finished'")
      .add(this.hasNoChildToRepair);
    const oldest = isOfOne ? sorted('finished_at', 'Ascending') : dialect.orderBy('finished_at', 'Ascending');
    const rows = await this.select('id', finished, ` ORDER BY ${oldest}`, {
      skip: 0,
      take: limit * CANDIDATES_PER_ROW,
    });
    if (rows.length === 0) return [];
    const ids = rows.map((row) => toText(row.id));
    return this.database.transact(() => purging(dialect, this.tables, ids, limit));
  }

  async purgeRequestKeys(before: Date, limit: number): Promise<number> {
    const { request_keys } = this.tables;
    const sql = `SELECT request_key FROM ${request_keys} WHERE created_at < ? ORDER BY created_at LIMIT ?`;
    const rows = await this.database.read({ sql, params: [time(before), limit * CANDIDATES_PER_ROW] });
    if (rows.length === 0) return 0;
    const keys = rows.map((row) => toText(row.request_key));
    return this.database.transact(() => purgingKeys(this.database.dialect, this.tables, keys, before, limit));
  }

  private async findRows(ids: readonly string[], columns: string): Promise<(Row | undefined)[]> {
    const { where, params } = new Conditions(this.database.dialect).oneOfTexts('id', [...new Set(ids)]);
    const rows = await this.database.read({ sql: `SELECT ${columns} FROM ${this.tables.instances}${where}`, params });
    const byId = new Map(rows.map((row) => [toText(row.id), row]));
    return ids.map((id) => byId.get(id));
  }

  /** Reads only ids at first: what is skipped or sorted is then read from the index alone, without its rows. */
  private async inTwoSteps(conditions: Conditions, order: string, page?: Page, hint?: string): Promise<readonly Row[]> {
    const ids = (await this.select('id', conditions, order, page, hint)).map((row) => toText(row.id));
    if (ids.length === 0) return [];
    return this.select(SUMMARY.list, instanceConditions(this.database.dialect, { ids }), order);
  }

  private select(
    columns: string,
    { where, params }: Conditions,
    ending = '',
    page?: Page,
    hint = '',
  ): Promise<readonly Row[]> {
    const limit = page ? ' LIMIT ? OFFSET ?' : '';
    return this.database.read({
      sql: `SELECT ${columns} FROM ${this.tables.instances}${hint}${where}${ending}${limit}`,
      params: page ? [...params, page.take, page.skip] : params,
    });
  }
}
