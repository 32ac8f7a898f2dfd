import { Injectable } from '@nestjs/common';
import { toErrorLike } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { StoreOutages } from '../outages/store-outages.js';
import type { AuditEntry } from '../persistence/audit-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { type AuditRecord, boundedRecord } from './audit-record.js';

export type { AuditRecord } from './audit-record.js';

/** Counts of entries on this node since its start. */
export interface AuditCounts {
  /** Entries that were stored. */
  readonly written: number;
  /** Entries that the store refused; they are in the log. */
  readonly lost: number;
}

/** Longest time that the answer to a request waits for its entry. The store may still write it afterwards. */
const LONGEST_WAIT_MS = 5000;

/**
 * Writes the audit trail. The management API records its own requests; code of the application may inject this and record
 * what it does itself.
 *
 * @example await this.audit.record({ action: 'invoices.approve', actor: user.name, targetKind: 'invoice', targetIds: [id] });
 */
@Injectable()
export class AuditTrail {
  private readonly logger = new WorkflowLogger('WorkflowAudit');
  private written = 0;
  private lost = 0;

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
    private readonly clock: WorkflowClock,
    private readonly outages: StoreOutages,
  ) {}

  /** What this process has stored and lost since it started. */
  get counts(): AuditCounts {
    return { written: this.written, lost: this.lost };
  }

  /**
   * Stores an entry. Resolves with true when it is stored, and with false if the store has not accepted it within 5 seconds. An
   * entry that the store refuses is logged as an error and counted.
   * @throws InvalidAuditRecordError (`WM8030`) for a record that cannot be an entry
   */
  async record(record: AuditRecord): Promise<boolean> {
    const entry: AuditEntry = { id: this.engine.newId(), at: new Date(this.clock.now()), ...boundedRecord(record) };
    let cancel = (): void => {};
    const late = new Promise<false>((resolve) => {
      cancel = this.clock.setTimer(() => resolve(false), LONGEST_WAIT_MS);
    });
    try {
      return await Promise.race([this.write(entry), late]);
    } finally {
      cancel();
    }
  }

  private async write(entry: AuditEntry): Promise<boolean> {
    try {
      await this.persistence.audit.add([entry]);
      this.written++;
      return true;
    } catch (error) {
      this.lost++;
      this.outages.report(error);
      // Its size is limited and it holds no secrets, as in the table.
      this.logger.record(`An audit entry was not stored: ${JSON.stringify(entry)} (${toErrorLike(error).message})`);
      return false;
    }
  }
}
