import { ActivationRefusedError, RequestKeyUsedError } from '@waymark/runtime';
import { type Firing, OccurrenceClaimedError, type TriggerFiring } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Row } from '../database/statement.js';
import { Conditions } from '../dialect/conditions.js';
import type { Tables } from '../dialect/tables.js';
import { time, toNumber, toText } from '../rows/column-values.js';
import type { BurstRows } from './burst-rows.js';

/**
 * Which of a group whose transaction was refused cannot be stored, by what is committed now, and why: their occurrence was claimed,
 * or another instance has their key. By a query for each table, however many there are, so that the others soon continue together.
 */
export class GroupRefusals {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  /** In the order of the members; undefined: nothing that is looked for here stands against it. */
  async of(members: readonly BurstRows[]): Promise<(Error | undefined)[]> {
    const bursts = members.map(({ burst }) => burst);
    const firings = bursts.flatMap(({ firing }) => firing ?? []);
    const [requests, activations, triggers, schedules] = await Promise.all([
      this.holders(
        this.tables.request_keys,
        'request_key',
        bursts.flatMap(({ requestKey }) => requestKey ?? []),
      ),
      this.holders(
        this.tables.activation_keys,
        'activation_key',
        bursts.flatMap(({ activationKey }) => activationKey ?? []),
      ),
      this.rows(this.tables.triggers, 'id', 'due_at', firings.filter(isOfTrigger).map(idOf)),
      this.rows(
        this.tables.schedules,
        'id',
        'due_at, token',
        firings.filter((firing) => !isOfTrigger(firing)).map(idOf),
      ),
    ]);
    return members.map(({ burst, isNew }) => {
      const { requestKey, activationKey, firing, instance } = burst;
      const starter = requestKey === undefined ? undefined : requests.get(requestKey);
      if (starter !== undefined && !(starter === instance.id && !isNew))
        return new RequestKeyUsedError(requestKey!, starter);
      if (firing && !isDue(firing, (isOfTrigger(firing) ? triggers : schedules).get(idOf(firing))))
        return new OccurrenceClaimedError(firing);
      const holder = activationKey === undefined ? undefined : activations.get(activationKey);
      const isTaken = holder !== undefined && holder !== instance.id;
      return isTaken ? new ActivationRefusedError(activationKey!) : undefined;
    });
  }

  private async holders(table: string, column: string, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.rows(table, column, 'instance_id', keys);
    return new Map([...rows].map(([key, row]) => [key, toText(row.instance_id)]));
  }

  private async rows(
    table: string,
    key: string,
    columns: string,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, Row>> {
    if (keys.length === 0) return new Map();
    const { where, params } = new Conditions(this.database.dialect).oneOf(key, keys);
    const rows = await this.database.read({ sql: `SELECT ${key}, ${columns} FROM ${table}${where}`, params });
    return new Map(rows.map((row) => [toText(row[key]), row]));
  }
}

const isOfTrigger = (firing: Firing): firing is TriggerFiring => 'triggerId' in firing;

const idOf = (firing: Firing): string => (isOfTrigger(firing) ? firing.triggerId : firing.id);

/** The row is as the firing has seen it. */
export function isDue(firing: Firing, row: Row | undefined): boolean {
  if (!row || row.due_at === null || toNumber(row.due_at) !== time(firing.dueAt)) return false;
  return isOfTrigger(firing) || row.token === firing.token;
}
