import type { AuditEntry, AuditFilter, AuditPage, AuditStore } from '@waymark/runtime/adapter';
import { inOneGo, type SqlDatabase } from '../database/sql-database.js';
import { Conditions, deleteRows } from '../dialect/conditions.js';
import { insertRows } from '../dialect/insert-rows.js';
import type { Tables } from '../dialect/tables.js';
import { time, toText } from '../rows/column-values.js';
import { ENTRY, TARGET_COLUMNS, targetRows, toEntry } from './audit-rows.js';

/** Every filter begins with a range of an index that ends with the newest entry. */
export class TypeOrmAuditStore implements AuditStore {
  private readonly entries: string;
  private readonly targets: string;

  constructor(
    private readonly database: SqlDatabase,
    { audit_entries, audit_targets }: Tables,
  ) {
    this.entries = audit_entries;
    this.targets = audit_targets;
  }

  async add(entries: readonly AuditEntry[]): Promise<void> {
    const { dialect } = this.database;
    const statements = [
      ...insertRows(dialect, this.entries, ENTRY.names, entries.map(ENTRY.values)),
      ...insertRows(dialect, this.targets, TARGET_COLUMNS, entries.flatMap(targetRows)),
    ];
    if (statements.length > 0) await this.database.transact(() => inOneGo(statements));
  }

  async find(
    { actor, actorKind, action, targetKind, targetId, outcome, from, to }: AuditFilter,
    { limit, after }: AuditPage,
  ): Promise<AuditEntry[]> {
    const isJoined = targetId !== undefined;
    const [at, id] = isJoined ? ['entry_at', 'entry_id'] : ['occurred_at', 'id'];
    const conditions = new Conditions(this.database.dialect)
      .equals('target_id', targetId)
      .equals('actor', actor)
      .equals('action', action)
      .equals('target_kind', targetKind)
      .equals('outcome', outcome)
      .equals('actor_kind', actorKind);
    if (from) conditions.add(`${at} >= ?`, time(from));
    if (to) conditions.add(`${at} < ?`, time(to));
    // Written so that the time alone bounds the range: with an OR around it, MySQL reads the index from its end.
    if (after) conditions.add(`${at} <= ? AND (${at} < ? OR ${id} < ?)`, time(after.at), time(after.at), after.id);
    const tables = isJoined ? `${this.targets} JOIN ${this.entries} ON id = entry_id` : this.entries;
    const sql = `SELECT ${ENTRY.list} FROM ${tables}${conditions.where} ORDER BY ${at} DESC, ${id} DESC LIMIT ?`;
    return (await this.database.read({ sql, params: [...conditions.params, limit] })).map(toEntry);
  }

  async purge(before: Date, limit: number): Promise<number> {
    const sql = `SELECT id FROM ${this.entries} WHERE occurred_at < ? ORDER BY occurred_at, id LIMIT ?`;
    const rows = await this.database.read({ sql, params: [time(before), limit] });
    if (rows.length === 0) return 0;
    const { dialect } = this.database;
    // In one order, so that nodes that do so at the same time do not wait for each other in a circle.
    const ids = rows.map((row) => toText(row.id)).sort();
    const [entries] = await this.database.transact(() =>
      inOneGo([...deleteRows(dialect, this.entries, 'id', ids), ...deleteRows(dialect, this.targets, 'entry_id', ids)]),
    );
    return entries?.affected ?? 0;
  }
}
