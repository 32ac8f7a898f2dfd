import type { DefinitionChanges, DefinitionPosition } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import type { SqlValue, Statement } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { toNumber, toText } from '../rows/column-values.js';

/** Counts all changes, on nodes of any version: they queue for its row. */
const ALL = 'definitions';
/** Counts those that say what they changed. */
const NAMED = 'named definition changes';

/**
 * Which definitions changed: the number of its last change for each of them. Numbers are given under the lock of the
 * counter, so that none is committed before a lower one. A node of an older version counts its changes but does not name
 * them; then the two counters move apart, and a follower knows that it cannot know.
 */
export class DefinitionFeed {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  /** Takes a number. First of a transaction: its holder is alone. */
  count(): Statement[] {
    // Not in one statement: two nodes could lock the rows in different orders.
    return [ALL, NAMED].map((name) => ({
      sql: `UPDATE ${this.tables.counters} SET counted = counted + 1 WHERE name = '${name}'`,
      params: [],
      expect: { affected: 1 },
    }));
  }

  /** Waits until no other writer changes definitions, for the rest of the transaction. */
  hold(): Statement {
    return { sql: `UPDATE ${this.tables.counters} SET counted = counted WHERE name = '${ALL}'`, params: [] };
  }

  /** Notes the number with the definitions of these rows, which have to be there. */
  name(versionIds: readonly string[], triggerIds: readonly string[]): Statement[] {
    const { counters, definitions, definition_changes: changes, triggers } = this.tables;
    const { dialect } = this.database;
    const selects: string[] = [];
    const params: (readonly SqlValue[])[] = [];
    const select = (column: string, table: string, ids: readonly string[]): void => {
      if (ids.length === 0) return;
      const rows = new Conditions(dialect).oneOf('id', ids);
      selects.push(`SELECT DISTINCT ${column} AS definition_id FROM ${table}${rows.where}`);
      params.push(rows.params);
    };
    select('definition_id', definitions, versionIds);
    select('workflow_definition_id', triggers, triggerIds);
    if (selects.length === 0) return [];
    // Each once: no row can be replaced twice. With a WHERE of its own, because SQLite would take ON for that of a join.
    const named = `SELECT named.definition_id, ${counters}.counted FROM (${selects.join(' UNION ')}) named, ${counters}`;
    return [
      {
        sql:
          `INSERT INTO ${changes} (definition_id, change_number) ${named} WHERE ${counters}.name = '${ALL}'` +
          `${dialect.onKnown('definition_id')} change_number = ${dialect.newValue('change_number')}`,
        params: params.flat(),
      },
    ];
  }

  async position(): Promise<DefinitionPosition> {
    const { counters } = this.tables;
    const sql = `SELECT name, counted FROM ${counters} WHERE name IN ('${ALL}', '${NAMED}')`;
    const rows = await this.database.read({ sql, params: [] });
    const counted = new Map(rows.map((row) => [toText(row.name), toNumber(row.counted)]));
    const counter = counted.get(ALL) ?? 0;
    return { counter, unnamed: counter - (counted.get(NAMED) ?? 0) };
  }

  async changesSince(since: DefinitionPosition | undefined): Promise<DefinitionChanges> {
    const position = await this.position();
    // Counters only grow, unless a backup was restored: then all that came after it is gone, and nothing names that.
    const isRestored = since !== undefined && since.counter > position.counter;
    if (since?.unnamed !== position.unnamed || isRestored) return { position, definitionIds: undefined };
    if (since.counter === position.counter) return { position, definitionIds: [] };
    const sql = `SELECT definition_id FROM ${this.tables.definition_changes} WHERE change_number > ? ORDER BY change_number, definition_id`;
    const rows = await this.database.read({ sql, params: [since.counter] });
    return { position, definitionIds: rows.map((row) => toText(row.definition_id)) };
  }
}
