import type {
  DefinitionFailures,
  DefinitionStanding,
  Depths,
  StatisticsStore,
  Throughput,
  ThroughputSlot,
} from '@waymark/runtime/adapter';
import type { SqlDatabase } from '../database/sql-database.js';
import type { Row, SqlValue } from '../database/statement.js';
import { sorted } from '../dialect/dialect.js';
import type { Tables } from '../dialect/tables.js';
import { SELDOM_SUB_STATUS } from '../instances/instance-conditions.js';
import { time, toDate, toNumber, toOptionalDate, toOptionalText, toText } from '../rows/column-values.js';

/** Every query has a limit, and finds its rows in the order of an index: its cost does not grow with the tables. */
export class TypeOrmStatisticsStore implements StatisticsStore {
  constructor(
    private readonly database: SqlDatabase,
    private readonly tables: Tables,
  ) {}

  async standing(definitionId: string, atMost: number): Promise<DefinitionStanding> {
    const { instances, bookmarks } = this.tables;
    const running =
      `(SELECT id, definition_version_id, version FROM ${instances} ` +
      `WHERE definition_id = ? AND status = 'Running' LIMIT ?) AS i`;
    const params = [definitionId, atMost];
    const [versions, nodes] = await Promise.all([
      this.read(
        `SELECT definition_version_id, version, COUNT(*) AS matching FROM ${running} ` +
          'GROUP BY definition_version_id, version ORDER BY version DESC',
        params,
      ),
      this.read(
        'SELECT i.definition_version_id, b.node_id, COUNT(DISTINCT b.workflow_instance_id) AS matching, ' +
          `MIN(b.created_at) AS since FROM ${running} JOIN ${bookmarks} b ON b.workflow_instance_id = i.id ` +
          'GROUP BY i.definition_version_id, b.node_id ORDER BY i.definition_version_id, b.node_id',
        params,
      ),
    ]);
    const counted = versions.map((row) => ({
      definitionVersionId: toText(row.definition_version_id),
      version: toNumber(row.version),
      running: toNumber(row.matching),
    }));
    return {
      versions: counted,
      nodes: nodes.map((row) => ({
        definitionVersionId: toText(row.definition_version_id),
        activityNodeId: toOptionalText(row.node_id),
        instances: toNumber(row.matching),
        since: toDate(row.since),
      })),
      isComplete: counted.reduce((sum, { running: count }) => sum + count, 0) < atMost,
    };
  }

  async failures(limit: number, atMost: number): Promise<DefinitionFailures[]> {
    const rows = await this.read(
      'SELECT definition_id, COUNT(*) AS matching, MAX(created_at) AS newest FROM (' +
        `SELECT definition_id, created_at FROM ${this.tables.instances} ` +
        `WHERE ${SELDOM_SUB_STATUS} AND sub_status = 'Faulted' ORDER BY created_at DESC LIMIT ?` +
        ') AS faulted GROUP BY definition_id ORDER BY matching DESC, definition_id LIMIT ?',
      [atMost, limit],
    );
    return rows.map((row) => ({
      definitionId: toText(row.definition_id),
      instances: toNumber(row.matching),
      newestAt: toDate(row.newest),
    }));
  }

  async throughput(from: Date, slotMs: number, atMost: number): Promise<Throughput> {
    const { instances } = this.tables;
    const slots = (column: string, order: string) =>
      this.read(
        // Not a parameter: PostgreSQL wants the same expression in SELECT and GROUP BY, and takes two parameters for two values.
        `SELECT happened_at - (happened_at % ${slotMs}) AS slot, COUNT(*) AS matching, MIN(happened_at) AS oldest, ` +
          "SUM(CASE WHEN sub_status = 'Faulted' THEN 1 ELSE 0 END) AS faulted " +
          `FROM (SELECT ${column} AS happened_at, sub_status FROM ${instances} WHERE ${column} >= ? ` +
          `ORDER BY ${order} LIMIT ?) AS happened GROUP BY happened_at - (happened_at % ${slotMs}) ORDER BY slot`,
        [time(from), atMost],
      );
    const { orderBy } = this.database.dialect;
    const [started, finished] = await Promise.all([
      slots('created_at', sorted('created_at', 'Descending')),
      slots('finished_at', orderBy('finished_at', 'Descending')),
    ]);
    const bySlot = new Map<number, { -readonly [M in keyof ThroughputSlot]: ThroughputSlot[M] }>();
    const at = (row: Row) => {
      const slot = toNumber(row.slot);
      const known = bySlot.get(slot) ?? { from: new Date(slot), started: 0, finished: 0, faulted: 0 };
      bySlot.set(slot, known);
      return known;
    };
    for (const row of started) at(row).started = toNumber(row.matching);
    for (const row of finished) {
      at(row).finished = toNumber(row.matching) - toNumber(row.faulted);
      at(row).faulted = toNumber(row.faulted);
    }
    const countedFrom = Math.max(time(from), ...[started, finished].map((rows) => cutAt(rows, atMost)));
    return {
      slots: [...bySlot.values()].sort((left, right) => time(left.from) - time(right.from)),
      countedFrom: new Date(countedFrom),
    };
  }

  async depths(now: Date, atMost: number): Promise<Depths> {
    const { outbox, queue, dead_letters, bookmarks, triggers, schedules, user_tasks, user_task_events } = this.tables;
    const upTo = (from: string) => `(SELECT COUNT(*) FROM (SELECT 1 FROM ${from} LIMIT ?) AS counted)`;
    // Among the messages that were written first: looking further would read all dead letters.
    const oldest =
      `(SELECT MIN(created_at) FROM (SELECT created_at, ready_at FROM ${outbox} ORDER BY seq LIMIT ?) AS first_ones ` +
      'WHERE ready_at IS NOT NULL)';
    const timed = [triggers, schedules].map((table) => `${table} WHERE due_at IS NOT NULL`);
    const [nextTrigger, nextSchedule] = timed.map((from) => `(SELECT MIN(due_at) FROM ${from})`);
    const [row = {}] = await this.read(
      `SELECT ${upTo(`${outbox} WHERE ready_at IS NOT NULL`)} AS outbox, ` +
        `${upTo(`${outbox} WHERE ready_at IS NULL`)} AS outbox_dead, ${oldest} AS outbox_oldest, ` +
        `${upTo(queue)} AS queued, ${upTo(dead_letters)} AS queue_dead, ` +
        `${upTo(`${bookmarks} WHERE due_at <= ?`)} AS due_timers, ` +
        `${timed.map(upTo).join(' + ')} AS schedule_count, ` +
        `${nextTrigger} AS next_trigger, ${nextSchedule} AS next_schedule, ` +
        `${upTo(`${user_tasks} WHERE status = 'Open'`)} AS open_tasks, ` +
        `(SELECT MAX(seq) FROM ${user_task_events}) AS task_change${this.database.dialect.fromNothing}`,
      [atMost, atMost, atMost, atMost, atMost, time(now), atMost, atMost, atMost, atMost],
    );
    const times = [row.next_trigger, row.next_schedule].filter((at) => at !== null && at !== undefined).map(toNumber);
    return {
      outbox: toNumber(row.outbox),
      outboxDeadLetters: toNumber(row.outbox_dead),
      outboxOldestAt: toOptionalDate(row.outbox_oldest ?? null),
      queue: toNumber(row.queued),
      queueDeadLetters: toNumber(row.queue_dead),
      dueTimers: toNumber(row.due_timers),
      schedules: Math.min(toNumber(row.schedule_count), atMost),
      nextScheduleAt: times.length === 0 ? undefined : new Date(Math.min(...times)),
      openTasks: toNumber(row.open_tasks),
      lastTaskChange: row.task_change === null ? undefined : String(row.task_change),
    };
  }

  private read(sql: string, params: readonly SqlValue[]): Promise<readonly Row[]> {
    return this.database.read({ sql, params });
  }
}

/** The oldest time that was read, when the limit was reached; else 0. */
function cutAt(rows: readonly Row[], atMost: number): number {
  const read = rows.reduce((sum, row) => sum + toNumber(row.matching), 0);
  return read < atMost ? 0 : Math.min(...rows.map((row) => toNumber(row.oldest)));
}
