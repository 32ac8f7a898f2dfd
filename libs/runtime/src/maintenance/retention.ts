import { Inject, Injectable } from '@nestjs/common';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { InstanceRemoval } from '../instances/instance-removal.js';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import type { InstanceFilter, TimestampFilter } from '../persistence/instance-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { LotSize } from './lot-size.js';
import { type Backlog, drainNow } from './paced-drain.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';

/** Deleted at a time, so that no transaction grows large. */
const BATCH = 200;
/**
 * Nothing goes sooner: a parent that is taken over after a crash finds the child that it had started, and would start
 * another one if that were gone (W9).
 */
const AFTERMATH_MS = 3_600_000;
const ENDED_WELL: InstanceFilter = { subStatuses: ['Finished'], hasIncidents: false };

/** Keys and the rows of plans are small, and one statement removes many. */
const KEYS_AT_ONCE = 1000;
/** Instances whose large journal values are looked after at a time. */
const VALUES_AT_ONCE = 500;
/** There are values without an instance only while nodes of an older version delete instances: all are looked at in turn. */
const BETWEEN_LOOKS_AT_VALUES_MS = 3_600_000;
/** All that are kept are looked at: no index has their times. */
const BETWEEN_LOOKS_AT_DEAD_LETTERS_MS = 3_600_000;
/** What a rule leaves, such as instances of definitions with a longer time, is passed over that seldom. */
const BETWEEN_LOOKS_AT_ALL_MS = 3_600_000;
/** Other looks begin that long before the end of the one before: it may have left out what was locked, or was not committed yet. */
const LOOKS_OVERLAP_MS = 3_600_000;
const PLAN_ROWS_AT_ONCE = 1000;
const BULK_PLANS_AT_ONCE = 100;
const AUDIT_ENTRIES_AT_ONCE = 500;
const DEAD_LETTERS_AT_ONCE = 500;

/** Which finished instances go, and when. */
interface RetentionRule {
  readonly name: string;
  readonly keptMs: number;
  readonly filter: InstanceFilter;
}

/**
 * Deletes what has been kept long enough: finished instances with all that belongs to them, plans of alterations, request
 * keys, and the audit trail. Nodes that do so at the same time delete different rows.
 */
@Injectable()
export class Retention {
  /** What piles up: one backlog for each kind of row, and one for each time for which instances are kept. */
  readonly backlogs: readonly Backlog[];
  private readonly logger = new WorkflowLogger('WorkflowRetention');
  /** Instances, since the start of this node. */
  private deleted = 0;
  /** When the last look at all journal values ended. */
  private valuesSeenAt = -Infinity;
  /** The same at all dead letters of the outbox. */
  private deadLettersSeenAt = -Infinity;
  /** Every rule begins its next look at the oldest instance when this changes. */
  private sweeps = 0;
  private readonly keys = new LotSize(KEYS_AT_ONCE);
  private readonly values = new LotSize(VALUES_AT_ONCE);
  private readonly planRows = new LotSize(PLAN_ROWS_AT_ONCE);
  private readonly bulkPlans = new LotSize(BULK_PLANS_AT_ONCE);
  private readonly deadLetters = new LotSize(DEAD_LETTERS_AT_ONCE);
  private readonly auditEntries = new LotSize(AUDIT_ENTRIES_AT_ONCE);

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly removal: InstanceRemoval,
    private readonly clock: WorkflowClock,
    @Inject(RUNTIME_OPTIONS) private readonly options: ResolvedRuntimeOptions,
  ) {
    this.backlogs = [
      { name: 'used request keys', takeBatch: () => this.forgetRequestKeys() },
      { name: 'ended plans of alterations', takeBatch: () => this.deletePlanRows() },
      { name: 'journal values without an instance', takeBatch: () => this.purgeOrphanedValues() },
      { name: 'ended bulk plans', takeBatch: () => this.deleteBulkPlans() },
      { name: 'old dead letters of the outbox', takeBatch: () => this.deleteDeadLetters() },
      { name: 'old audit entries', takeBatch: () => this.deleteAuditEntries() },
      ...rulesOf(options).map((rule) => this.backlogOf(rule)),
    ];
  }

  /** Deletes everything that is due now. Returns how many instances were deleted. */
  async sweep(): Promise<number> {
    const before = this.deleted;
    this.valuesSeenAt = -Infinity;
    this.deadLettersSeenAt = -Infinity;
    this.sweeps++;
    for (const backlog of this.backlogs) await drainNow(backlog);
    return this.deleted - before;
  }

  private async forgetRequestKeys(): Promise<boolean> {
    const { requestKeyRetentionMs } = this.options;
    if (requestKeyRetentionMs === false) return false;
    const before = this.before(requestKeyRetentionMs);
    return this.keys.take((limit) => this.persistence.instances.purgeRequestKeys(before, limit));
  }

  private async purgeOrphanedValues(): Promise<boolean> {
    if (this.clock.monotonic() - this.valuesSeenAt < BETWEEN_LOOKS_AT_VALUES_MS) return false;
    if (await this.values.take((limit) => this.persistence.journal.purgeOrphanedValues(limit))) return true;
    this.valuesSeenAt = this.clock.monotonic();
    return false;
  }

  /** Plans of alterations are kept as long as instances; each has as many jobs as it altered. */
  private async deletePlanRows(): Promise<boolean> {
    const { retentionMs } = this.options;
    if (retentionMs === false) return false;
    const before = this.before(retentionMs);
    return this.planRows.take((limit) => this.persistence.alterations.purge(before, limit));
  }

  private async deleteBulkPlans(): Promise<boolean> {
    const { retentionMs } = this.options;
    if (retentionMs === false) return false;
    const before = this.before(retentionMs);
    return this.bulkPlans.take((limit) => this.persistence.bulkPlans.purge(before, limit));
  }

  private async deleteDeadLetters(): Promise<boolean> {
    const { deadLetterRetentionMs } = this.options;
    // They may be the only trace of what was lost: nothing is deleted unless it was asked for.
    if (!deadLetterRetentionMs || this.clock.monotonic() - this.deadLettersSeenAt < BETWEEN_LOOKS_AT_DEAD_LETTERS_MS)
      return false;
    const before = this.before(deadLetterRetentionMs);
    if (await this.deadLetters.take((limit) => this.persistence.outbox.purgeDeadLetters(before, limit))) return true;
    this.deadLettersSeenAt = this.clock.monotonic();
    return false;
  }

  private async deleteAuditEntries(): Promise<boolean> {
    const { auditRetentionMs } = this.options;
    if (auditRetentionMs === false) return false;
    const before = this.before(auditRetentionMs);
    return this.auditEntries.take((limit) => this.persistence.audit.purge(before, limit));
  }

  private backlogOf({ name, keptMs, filter }: RetentionRule): Backlog {
    const lot = new LotSize(BATCH);
    // Told once for all batches: a large backlog would fill the log with them.
    let untold = 0;
    let seen = { sweeps: -1, allAt: -Infinity, until: -Infinity };
    const takeBatch = async (): Promise<boolean> => {
      const before = this.before(keptMs);
      const timestamps: TimestampFilter[] = [{ column: 'FinishedAt', operator: 'LessThan', timestamp: before }];
      const isOfAll = seen.sweeps !== this.sweeps || this.clock.monotonic() - seen.allAt >= BETWEEN_LOOKS_AT_ALL_MS;
      if (!isOfAll)
        timestamps.push({ column: 'FinishedAt', operator: 'GreaterThanOrEqual', timestamp: new Date(seen.until) });
      const isFull = await lot.take(async (limit) => {
        const count = await this.removal.purge({ ...filter, timestamps }, limit);
        this.deleted += count;
        untold += count;
        return count;
      });
      if (isFull) return true;
      const allAt = isOfAll ? this.clock.monotonic() : seen.allAt;
      seen = { sweeps: this.sweeps, allAt, until: before.getTime() - LOOKS_OVERLAP_MS };
      if (untold > 0)
        this.logger.log(
          `Deleted ${untold} workflow ${untold === 1 ? 'instance' : 'instances'} that finished before ${before.toISOString()}.`,
        );
      untold = 0;
      return false;
    };
    return { name, takeBatch };
  }

  private before(keptMs: number): Date {
    return new Date(this.clock.now() - keptMs);
  }
}

function rulesOf({ retentionMs, retentionOf }: ResolvedRuntimeOptions): RetentionRule[] {
  const own = Object.entries(retentionOf);
  // What did not end well follows the general rule even where nothing else is kept.
  const exceptDefinitionIds = own.filter(([, time]) => time !== 0).map(([id]) => id);
  const rules = own.map(([id, time]) => ({
    name: `finished instances of "${id}"`,
    time,
    filter: { definitionIds: [id], ...(time === 0 ? ENDED_WELL : {}) },
  }));
  return [{ name: 'finished instances', time: retentionMs, filter: { exceptDefinitionIds } }, ...rules].flatMap(
    ({ time, ...rule }) => (time === false ? [] : { ...rule, keptMs: Math.max(time, AFTERMATH_MS) }),
  );
}
