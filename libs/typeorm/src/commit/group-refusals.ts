import { type Firing, OccurrenceClaimedError, type TriggerFiring } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import type { BurstRows } from './burst-rows.js';

/**
 * Which of a group whose transaction was refused cannot be stored, by what is committed now: their occurrence was claimed. By a query
 * for each table, however many there are, so that the others are soon stored together.
 */
export class GroupRefusals {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  /** In the order of the members; undefined where the occurrence is still due, or there is none. */
  async of(members: readonly BurstRows[]): Promise<(Error | undefined)[]> {
    const bursts = members.map(({ burst }) => burst);
    const firings = bursts.flatMap(({ firing }) => firing ?? []);
    const [triggers, schedules] = await Promise.all([
      this.rows(this.tables.triggers, 'due_at', firings.filter(isOfTrigger)),
      this.rows(
        this.tables.schedules,
        'due_at, token',
        firings.filter((firing) => !isOfTrigger(firing)),
      ),
    ]);
    return bursts.map(({ firing }) =>
      firing && !isDue(firing, (isOfTrigger(firing) ? triggers : schedules).get(idOf(firing)))
        ? new OccurrenceClaimedError(firing)
        : undefined,
    );
  }

  /** Those that are there, by their ids. */
  private async rows(table: string, columns: string, firings: readonly Firing[]): Promise<ReadonlyMap<string, Row>> {
    if (firings.length === 0) return new Map();
    const { where, params } = new Conditions(this.database.dialect).oneOf('id', firings.map(idOf));
    const rows = await this.database.read({ sql: `SELECT id, ${columns} FROM ${table}${where}`, params });
    return new Map(rows.map((row) => [toText(row.id), row]));
  }
}

const isOfTrigger = (firing: Firing): firing is TriggerFiring => 'triggerId' in firing;

const idOf = (firing: Firing): string => (isOfTrigger(firing) ? firing.triggerId : firing.id);

/** The row is as the firing has seen it. */
export function isDue(firing: Firing, row: Row | undefined): boolean {
  if (!row || row.due_at === null || toNumber(row.due_at) !== time(firing.dueAt)) return false;
  return isOfTrigger(firing) || row.token === firing.token;
}
