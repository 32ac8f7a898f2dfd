import { commitChecked } from '../database/checked.js';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Row, SqlValue, Statement } from '../database/statement.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { ConcurrencyConflictError, ExclusiveTriggerError } from '@waymark/runtime';
import { type DefinitionChange, loopTurns, requireStorableDefinitions } from '@waymark/runtime/adapter';
import { insertMessages } from '../outbox/outbox-rows.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import { KEPT_WHILE_SAME, TRIGGER } from '../triggers/trigger-rows.js';
import type { DefinitionFeed } from './definition-feed.js';
import type { DefinitionReferences } from './definition-references.js';
import { DEFINITION } from './definition-rows.js';

/**
 * Changes of definitions and their triggers. The counter comes first: all changes, on all nodes, queue for its row. So
 * they cannot deadlock, and what one of them finds free (a version, an exclusive key) stays free until it commits.
 */
export class DefinitionWriter {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
    private readonly feed: DefinitionFeed,
    private readonly references: DefinitionReferences,
  ) {}

  async apply(change: DefinitionChange): Promise<void> {
    requireStorableDefinitions(change);
    const rows: (readonly SqlValue[])[] = [];
    // Each may have ten megabytes: to make one text, and to look for what it uses, takes a tenth of a second each.
    for (const { definition, expectedRevision, firstRevision = 1 } of change.saved) {
      await loopTurns.goOn();
      const revision = expectedRevision === undefined ? firstRevision : expectedRevision + 1;
      rows.push(DEFINITION.values({ ...definition, revision }));
    }
    await loopTurns.goOn();
    const statements = this.statements(change, rows, this.references.write(change));
    await commitChecked(this.database, statements, () => this.explain(change));
  }

  /**
   * @param rows of the versions that are saved, in their order
   * @param references statements that write what they use
   */
  private statements(
    change: DefinitionChange,
    rows: readonly (readonly SqlValue[])[],
    references: readonly Statement[],
  ): Statement[] {
    const { definitions, triggers, outbox } = this.tables;
    const { dialect } = this.database;
    const saved = change.saved.map((one, at) => ({ ...one, row: rows[at]! }));
    const inserted = saved.filter(({ expectedRevision }) => expectedRevision === undefined);
    const updated = saved.filter(({ expectedRevision }) => expectedRevision !== undefined);
    return [
      ...this.feed.count(),
      ...this.feed.name(change.deletedIds, change.removedTriggerIds),
      ...this.sameness(change),
      ...deleteRows(dialect, definitions, 'id', change.deletedIds),
      ...this.emptiness(change),
      ...updated.map(({ definition, row, expectedRevision = 0 }): Statement => {
        const assignments = DEFINITION.names.map((column) => `${column} = ?`).join(', ');
        return {
          sql: `UPDATE ${definitions} SET ${assignments} WHERE id = ? AND revision = ?`,
          params: [...row, definition.id, expectedRevision],
          expect: { affected: 1 },
        };
      }),
      ...insertRows(
        dialect,
        definitions,
        DEFINITION.names,
        inserted.map(({ row }) => row),
      ),
      // Waits for a claim that is under way, and then finds another due time.
      ...(change.unfired ?? []).map(({ id, dueAt }) => ({
        sql: `DELETE FROM ${triggers} WHERE id = ? AND due_at = ?`,
        params: [id, time(dueAt)],
        expect: { affected: 1 },
      })),
      ...deleteRows(dialect, triggers, 'id', change.removedTriggerIds),
      ...insertRows(dialect, triggers, TRIGGER.names, change.addedTriggers.map(TRIGGER.values), this.replacing()),
      ...references,
      ...this.feed.name(
        change.saved.map(({ definition }) => definition.id),
        change.addedTriggers.map((trigger) => trigger.id),
      ),
      ...insertMessages(dialect, outbox, change.messages ?? []),
      ...this.exclusiveness(change),
    ];
  }

  /** A known trigger is replaced, but keeps its due time while it is the same trigger: see `DefinitionChange`. */
  private replacing(): string {
    const { onKnown, newValue } = this.database.dialect;
    const { triggers } = this.tables;
    const same = `${triggers}.hash = ${newValue('hash')}`;
    const assignments = TRIGGER.names
      .filter((column) => column !== 'id')
      .map((column) =>
        KEPT_WHILE_SAME.has(column)
          ? `${column} = CASE WHEN ${same} THEN ${triggers}.${column} ELSE ${newValue(column)} END`
          : `${column} = ${newValue(column)}`,
      );
    return `${onKnown('id')} ${assignments.join(', ')}`;
  }

  /** Asked, not deleted one by one: there may be thousands of versions. */
  private sameness({ deletedAs = [] }: DefinitionChange): Statement[] {
    if (deletedAs.length === 0) return [];
    const { where, params } = new Conditions(this.database.dialect).oneOf(
      'id',
      deletedAs.map(({ id }) => id),
    );
    const sql = `SELECT id, revision FROM ${this.tables.definitions}${where}`;
    return [{ sql, params, expect: { rows: (rows) => changedAmong(deletedAs, rows) === undefined } }];
  }

  private emptiness({ emptied = [] }: DefinitionChange): Statement[] {
    if (emptied.length === 0) return [];
    const { where, params } = new Conditions(this.database.dialect).oneOf('definition_id', emptied);
    const sql = `SELECT id FROM ${this.tables.definitions}${where} LIMIT 1`;
    return [{ sql, params, expect: { rows: (rows) => rows.length === 0 } }];
  }

  /** After all is written, no added trigger may share its key with one of another definition. */
  private exclusiveness({ addedTriggers }: DefinitionChange): Statement[] {
    const ids = addedTriggers.filter((trigger) => trigger.exclusiveKey !== undefined).map((trigger) => trigger.id);
    if (ids.length === 0) return [];
    const { triggers } = this.tables;
    const { where, params } = new Conditions(this.database.dialect).oneOf('added.id', ids);
    const join =
      'ON held.exclusive_key = added.exclusive_key AND held.workflow_definition_id <> added.workflow_definition_id';
    return [
      {
        sql: `SELECT added.id FROM ${triggers} added JOIN ${triggers} held ${join}${where} LIMIT 1`,
        params,
        expect: { rows: (rows) => rows.length === 0 },
      },
    ];
  }

  private async explain(change: DefinitionChange): Promise<Error | undefined> {
    return (
      (await this.findConflict(change)) ??
      (await this.findUndeleted(change)) ??
      (await this.findFired(change)) ??
      (await this.findHolder(change))
    );
  }

  private async findUndeleted({
    deletedIds,
    deletedAs = [],
    emptied = [],
  }: DefinitionChange): Promise<Error | undefined> {
    const { definitions } = this.tables;
    const ids = deletedAs.map(({ id }) => id);
    const rows = await this.find('id, revision', definitions, 'id', ids);
    const left = (await this.find('id', definitions, 'definition_id', emptied)).map((row) => toText(row.id));
    const other = changedAmong(deletedAs, rows) ?? left.find((id) => !deletedIds.includes(id));
    return other === undefined ? undefined : new ConcurrencyConflictError('definition', other);
  }

  private async findFired({ unfired = [] }: DefinitionChange): Promise<Error | undefined> {
    const ids = unfired.map(({ id }) => id);
    const rows = await this.find('id, due_at', this.tables.triggers, 'id', ids);
    const due = new Map(rows.map((row) => [toText(row.id), row.due_at === null ? undefined : toNumber(row.due_at)]));
    const fired = unfired.find(({ id, dueAt }) => due.get(id) !== dueAt.getTime());
    return fired && new ConcurrencyConflictError('trigger', fired.id);
  }

  private async findConflict({ saved, deletedIds }: DefinitionChange): Promise<Error | undefined> {
    const rows = await this.find('id, definition_id, version, revision', this.tables.definitions, 'definition_id', [
      ...saved.map(({ definition }) => definition.definitionId),
    ]);
    const byId = await this.find('id, definition_id, version, revision', this.tables.definitions, 'id', [
      ...saved.map(({ definition }) => definition.id),
    ]);
    const remaining = [...rows, ...byId].filter((row) => !deletedIds.includes(toText(row.id)));
    for (const { definition, expectedRevision } of saved) {
      const { id, definitionId, version } = definition;
      const stored = remaining.find((row) => row.id === id);
      const isVersionTaken = remaining.some(
        (row) => row.definition_id === definitionId && toNumber(row.version) === version && row.id !== id,
      );
      const revision = stored && toNumber(stored.revision);
      if (revision !== expectedRevision || isVersionTaken) return new ConcurrencyConflictError('definition', id);
    }
    return undefined;
  }

  private async findHolder({ addedTriggers, removedTriggerIds }: DefinitionChange): Promise<Error | undefined> {
    const exclusive = addedTriggers.flatMap(({ exclusiveKey, workflowDefinitionId }) =>
      exclusiveKey === undefined ? [] : [{ exclusiveKey, workflowDefinitionId }],
    );
    const keys = exclusive.map(({ exclusiveKey }) => exclusiveKey);
    const rows = await this.find(
      'id, exclusive_key, workflow_definition_id',
      this.tables.triggers,
      'exclusive_key',
      keys,
    );
    const replaced = new Set([...removedTriggerIds, ...addedTriggers.map((trigger) => trigger.id)]);
    const holders = new Map<string, string>();
    for (const row of rows) {
      if (!replaced.has(toText(row.id))) holders.set(toText(row.exclusive_key), toText(row.workflow_definition_id));
    }
    for (const { exclusiveKey, workflowDefinitionId } of exclusive) {
      const holder = holders.get(exclusiveKey) ?? workflowDefinitionId;
      if (holder !== workflowDefinitionId) return new ExclusiveTriggerError(exclusiveKey, workflowDefinitionId, holder);
      holders.set(exclusiveKey, workflowDefinitionId);
    }
    return undefined;
  }

  private async find(
    columns: string,
    table: string,
    column: string,
    values: readonly string[],
  ): Promise<readonly Row[]> {
    if (values.length === 0) return [];
    const { where, params } = new Conditions(this.database.dialect).oneOf(column, values);
    return this.database.read({ sql: `SELECT ${columns} FROM ${table}${where}`, params });
  }
}

/** @returns the id of one that has another revision in these rows, or none */
function changedAmong(versions: NonNullable<DefinitionChange['deletedAs']>, rows: readonly Row[]): string | undefined {
  const revisions = new Map(rows.map((row) => [toText(row.id), toNumber(row.revision)]));
  return versions.find(({ id, revision }) => revisions.get(id) !== revision)?.id;
}
