import { JournalBudget, type JournalValue } from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import type { SqlValue } from '../database/statement.js';
import type { Tables } from '../dialect/tables.js';
import { toNumber, toText } from '../rows/column-values.js';
import { VALUE } from './journal-rows.js';
import { knownValues } from './stored-values.js';

type Values = readonly (readonly SqlValue[])[];

/** What is to be written of the large values of a burst. */
export interface KeptRows {
  readonly values: Values;
  /** Called when they are stored. */
  readonly stored: () => void;
}

/** The instance that values belong to. */
export interface KeptFor {
  readonly id: string;
  /** Milliseconds. Undefined: what is remembered is not used. */
  readonly createdAt?: number;
  /** It has no values yet. */
  readonly isNew?: boolean;
}

interface Known {
  readonly kept: number;
  /** Of the instance: another node may have deleted it and given its id to another one, which has none of these values. */
  readonly createdAt: number | undefined;
  /** When the sum was read. */
  readonly read: number;
}

/** Instances whose sums are remembered. */
const MOST_KNOWN = 1000;
/**
 * The sum is read again after so much of the limit was written here: other nodes may have written as well. Reading it with each value
 * would take a look at all of them each time (the square).
 */
const SHARE_BETWEEN_READS = 1 / 16;
/** Bytes, where that is little or nothing: there are notes then. */
const LEAST_BETWEEN_READS = 1_000_000;
const [HASH, BYTES, DATA] = (['hash', 'bytes', 'data'] as const).map((name) => VALUE.names.indexOf(name)) as [
  number,
  number,
  number,
];

/** Which large values the journal of an instance keeps: each once, and no more than the limit in all. */
export class KeptValues {
  /** The one that was used longest ago comes first. */
  private readonly known = new Map<string, Known>();
  private readonly betweenReads: number;

  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
    private readonly mostBytes: number,
  ) {
    this.betweenReads = Math.max(mostBytes * SHARE_BETWEEN_READS, LEAST_BETWEEN_READS);
  }

  /**
   * Those that are there are not sent again. They stay: they go with the instance, and then this commit is refused.
   */
  async toWrite({ id: instanceId, createdAt, isNew = false }: KeptFor, values: Values): Promise<KeptRows> {
    const there = isNew || values.length === 0 ? new Set<string>() : await this.those(instanceId, values);
    const fresh = there.size === 0 ? values : values.filter((row) => !there.has(toText(row[HASH])));
    if (fresh.length === 0) return { values: fresh, stored: () => undefined };
    const { kept, read } = isNew ? { kept: 0, read: 0 } : await this.sumOf(instanceId, createdAt);
    const budget = new JournalBudget(this.mostBytes, kept);
    const taken = fresh.map((row) => {
      const value = valueOf(row);
      const stored = budget.take(value);
      return stored === value ? row : VALUE.values({ instanceId, ...stored });
    });
    return { values: taken, stored: () => this.remember(instanceId, { kept: budget.kept, createdAt, read }) };
  }

  /** Of an instance that is new, though its id may have been used before. */
  forget(instanceId: string): void {
    this.known.delete(instanceId);
  }

  private those(instanceId: string, values: Values): Promise<ReadonlySet<string>> {
    const hashes = values.map((row) => toText(row[HASH]));
    return knownValues(this.database, this.tables, instanceId, hashes);
  }

  private async sumOf(instanceId: string, createdAt: number | undefined): Promise<Pick<Known, 'kept' | 'read'>> {
    const known = this.known.get(instanceId);
    const isOfIt = known !== undefined && known.createdAt === createdAt;
    if (isOfIt && known.kept - known.read <= this.betweenReads) return known;
    const sql = `SELECT SUM(bytes) AS kept FROM ${this.tables.journal_values} WHERE instance_id = ?`;
    const [row] = await this.database.read({ sql, params: [instanceId] });
    const kept = toNumber(row?.kept ?? 0);
    return { kept, read: kept };
  }

  private remember(instanceId: string, sum: Known): void {
    this.known.delete(instanceId);
    this.known.set(instanceId, sum);
    if (this.known.size <= MOST_KNOWN) return;
    const [oldest] = this.known.keys();
    this.known.delete(oldest!);
  }
}

function valueOf(row: readonly SqlValue[]): JournalValue {
  return { hash: toText(row[HASH]), bytes: toNumber(row[BYTES]), text: toText(row[DATA]) };
}
