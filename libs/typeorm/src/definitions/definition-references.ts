import { type DefinitionChange, type DefinitionUse, usedDefinitionIds } from '@waymark/runtime/adapter';
import { type DefinitionVersion, type LoadedDefinition } from '@waymark/runtime';
import { backoff } from '../database/backoff.js';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { chunksOf, RefusedStatement, type Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { toNumber, toText } from '../rows/column-values.js';
import type { DefinitionFeed } from './definition-feed.js';
import { isUnreadable } from '../rows/column-map.js';
import { toDefinition, VERSION } from './definition-rows.js';

/** How many changes without a name were looked after; -1: not looked yet. */
const LOOKED_AFTER = 'definition references';
/** Definitions that are read at once. */
const CHUNK = 50;
/** Definitions whose consumers are looked up at once. */
const USED_AT_ONCE = 500;

/**
 * Which latest versions use which definitions. Written with their rows. What a node of an older version writes has none, and
 * its row says so: `references_revision` stays behind `revision`. That is looked after before consumers are searched, if
 * there was any such change; the same fills the table for what was there before it.
 */
export class DefinitionReferences {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
    private readonly feed: DefinitionFeed,
  ) {}

  /** The rows that go with a change. */
  write({ saved, deletedIds }: Pick<DefinitionChange, 'saved' | 'deletedIds'>): Statement[] {
    const { dialect } = this.database;
    const table = this.tables.definition_references;
    const definitions = saved.map(({ definition }) => definition);
    const rows = definitions
      .filter((definition) => definition.isLatest)
      .flatMap((definition) => usedDefinitionIds(definition).map((used) => [definition.id, used]));
    return [
      ...deleteRows(dialect, table, 'version_id', [...new Set([...deletedIds, ...definitions.map(({ id }) => id)])]),
      ...insertRows(dialect, table, ['version_id', 'used_definition_id'], rows),
    ];
  }

  async findConsumers(definitionId: string): Promise<DefinitionVersion[]> {
    await this.complete();
    const { definitions, definition_references: references } = this.tables;
    const { orderBy } = this.database.dialect;
    const columns = VERSION.names.map((column) => `d.${column}`).join(', ');
    const order = `${orderBy('d.name', 'Ascending')}, ${orderBy('d.id', 'Ascending')}`;
    const rows = await this.database.read({
      sql:
        // SQLite keeps this order of a CROSS JOIN. With JOIN it reads all latest definitions, since those come in the order of names.
        `SELECT ${columns} FROM ${references} r CROSS JOIN ${definitions} d ` +
        `WHERE r.used_definition_id = ? AND d.id = r.version_id AND d.is_latest = 1 AND d.definition_id <> ? ORDER BY ${order}`,
      params: [definitionId, definitionId],
    });
    return rows.map(VERSION.record);
  }

  async findUses(definitionIds: readonly string[]): Promise<DefinitionUse[]> {
    if (definitionIds.length === 0) return [];
    await this.complete();
    const { definitions, definition_references: references } = this.tables;
    const { dialect } = this.database;
    const uses: DefinitionUse[] = [];
    for (const chunk of chunksOf([...new Set(definitionIds)], USED_AT_ONCE)) {
      const { where, params } = new Conditions(dialect)
        .oneOf('r.used_definition_id', chunk)
        .add('d.id = r.version_id')
        .add('d.is_latest = 1')
        .add('d.definition_id <> r.used_definition_id');
      const rows = await this.database.read({
        sql:
          // As in `findConsumers`.
          `SELECT r.used_definition_id, d.definition_id FROM ${references} r CROSS JOIN ${definitions} d${where} ` +
          `ORDER BY ${dialect.orderBy('d.name', 'Ascending')}, ${dialect.orderBy('d.id', 'Ascending')}`,
        params,
      });
      for (const row of rows)
        uses.push({ usedDefinitionId: toText(row.used_definition_id), definitionId: toText(row.definition_id) });
    }
    return uses;
  }

  private async complete(): Promise<void> {
    const { unnamed } = await this.feed.position();
    if ((await this.lookedAfter()) === unnamed) return;
    const { counters, definitions } = this.tables;
    const rows = await this.database.read({
      sql: `SELECT id FROM ${definitions} WHERE references_revision IS NULL OR references_revision <> revision ORDER BY id`,
      params: [],
    });
    const ids = rows.map((row) => toText(row.id));
    let isAll = true;
    for (const chunk of chunksOf(ids, CHUNK)) isAll = (await this.lookAfter(chunk)) && isAll;
    // What this node cannot read is left to one that can, or to the next look after it was repaired.
    if (!isAll) return;
    // Not what is unnamed by now: what has been written meanwhile is looked after the next time.
    await this.database.transact(() =>
      inOneGo([{ sql: `UPDATE ${counters} SET counted = ? WHERE name = '${LOOKED_AFTER}'`, params: [unnamed] }]),
    );
  }

  private async lookedAfter(): Promise<number> {
    const sql = `SELECT counted FROM ${this.tables.counters} WHERE name = '${LOOKED_AFTER}'`;
    const [row] = await this.database.read({ sql, params: [] });
    return toNumber(row?.counted ?? -1);
  }

  /** @returns false: some cannot be read, and use what they used. With an error, nothing could be published. */
  private async lookAfter(ids: readonly string[]): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const { definitions, isAll } = await this.read(ids);
      if (definitions.length === 0) return isAll;
      try {
        await this.database.transact(() =>
          inOneGo([
            this.feed.hold(),
            ...definitions.map((definition) => this.mark(definition)),
            ...this.write({
              saved: definitions.map((definition) => ({ definition, expectedRevision: definition.revision })),
              deletedIds: [],
            }),
          ]),
        );
        return isAll;
      } catch (error) {
        // One of them was saved since it was read.
        if (!(error instanceof RefusedStatement)) throw error;
      }
      await backoff(attempt);
    }
  }

  private async read(ids: readonly string[]): Promise<{ definitions: LoadedDefinition[]; isAll: boolean }> {
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', ids);
    const sql = `SELECT id, data, revision FROM ${this.tables.definitions}${where}`;
    const rows = await this.database.read({ sql, params });
    const definitions = rows.flatMap((row) => {
      try {
        return [toDefinition(row)];
      } catch (error) {
        if (!isUnreadable(error)) throw error;
        return [];
      }
    });
    return { definitions, isAll: definitions.length === rows.length };
  }

  private mark({ id, revision }: LoadedDefinition): Statement {
    return {
      sql: `UPDATE ${this.tables.definitions} SET references_revision = revision WHERE id = ? AND revision = ?`,
      params: [id, revision],
      expect: { affected: 1 },
    };
  }
}
