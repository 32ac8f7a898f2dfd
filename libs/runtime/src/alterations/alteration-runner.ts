import { Injectable } from '@nestjs/common';
import { isWaymarkError, type MigrationReport, type WorkflowExecutionContext } from '@waymark/core';
import type { OutgoingMessage } from '@waymark/core/adapter';
import { WorkflowClock } from '../clock/workflow-clock.js';
import type { BurstExtras } from '../bursts/burst-commit-builder.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { OutboxProcessor } from '../outbox/outbox-processor.js';
import { StoreOutages } from '../outages/store-outages.js';
import { InstanceEditor } from '../instances/instance-editor.js';
import { InstanceNotFoundError } from '../services/instance-errors.js';
import {
  InstanceBusyError,
  MigrationNotUndoableError,
  MigrationRefusedError,
  MigrationTooLargeError,
} from '../services/migration-services.js';
import { codedText } from '../persistence/coded-text.js';
import type { ValueTooLargeError } from '../persistence/persistence-errors.js';
import type { LoadedInstance } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import {
  type Alteration,
  AlterationFailure,
  type AlterationLogEntry,
  type AlterationResult,
} from '../persistence/alteration.js';
import { recordAlteration } from './alteration-journal.js';
import { applyAlterations, isDue } from './apply-alteration.js';
import { Migrations, type OpenedInstance } from './migrations.js';

/** The author of alterations, and what is committed with them. */
export interface AlterationOrder {
  readonly planId?: string;
  readonly jobId?: string;
  /** The author. */
  readonly by?: string | undefined;
  /** What the commit of the changes uses up. Not for a repeatable list, which may find nothing to commit. */
  readonly extras?: BurstExtras;
  /** A message that goes with the commit of the changes; likewise. */
  readonly report?: (log: readonly AlterationLogEntry[]) => OutgoingMessage;
}

/** Another request has retried it meanwhile. Leaves the instance as it is. */
class NothingToRetry extends Error {}

/** Applies alterations to instances: either all of a list or none, in one commit with a journal entry for each. */
@Injectable()
export class AlterationRunner {
  constructor(
    private readonly editor: InstanceEditor,
    private readonly bursts: BurstExecutor,
    private readonly migrations: Migrations,
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
    private readonly outbox: OutboxProcessor,
    private readonly outages: StoreOutages,
  ) {}

  /**
   * Alters one instance now. The log of the result says which alteration failed; it is empty where there was nothing to do.
   * @throws InstanceNotFoundError
   */
  async run(
    workflowInstanceId: string,
    alterations: readonly Alteration[],
    order: AlterationOrder = {},
  ): Promise<AlterationResult> {
    try {
      return isRepeatable(alterations)
        ? await this.cancel(workflowInstanceId, alterations, order)
        : (await this.change(workflowInstanceId, alterations, order)).result;
    } catch (error) {
      const logEntries = error instanceof NothingToRetry ? [] : this.failures(error, order);
      if (!logEntries) throw error;
      return {
        workflowInstanceId,
        log: { logEntries },
        workflowHasScheduledWork: false,
        isSuccessful: logEntries.length === 0,
      };
    }
  }

  /**
   * As `run`, but throws the error of an alteration that fails.
   * @throws InstanceNotFoundError, AlterationFailure, MigrationRefusedError, MigrationTooLargeError …
   */
  async change(
    workflowInstanceId: string,
    alterations: readonly Alteration[],
    order: AlterationOrder,
  ): Promise<{ readonly result: AlterationResult; readonly report: MigrationReport | undefined }> {
    const { planId, jobId, by } = order;
    let opened: OpenedInstance | undefined;
    let left: string | undefined;
    const migration = migrationAmong(alterations);
    const open =
      migration &&
      (async (before: LoadedInstance) => {
        left = before.definitionVersionId;
        opened =
          migration.type === 'Migrate'
            ? await this.migrations.open(before, migration, order.by)
            : await this.migrations.undo(before);
        return opened;
      });
    // Cancelling is the end, wherever it stands.
    const ordered = alterations.toSorted((a, b) => Number(a.type === 'Cancel') - Number(b.type === 'Cancel'));
    const isRun = alterations.some(({ type }) => type === 'ScheduleActivity');
    let workflowHasScheduledWork = false;
    let isRepaired = false;
    let logEntries: readonly AlterationLogEntry[] = [];
    const change = async (wec: WorkflowExecutionContext) => {
      const due = ordered.filter((alteration) => isDue(wec, alteration));
      if (due.length === 0 && ordered.length > 0) throw new NothingToRetry();
      const hasFailed = wec.subStatus === 'Faulted';
      await applyAlterations(wec, due, isRun, (alteration) =>
        recordAlteration(wec, alteration, { planId, jobId, by, migrated: opened?.report }),
      );
      isRepaired = hasFailed && wec.isRunning;
      workflowHasScheduledWork = wec.queue.size > 0;
      // What is run cannot be undone.
      if (!workflowHasScheduledWork) wec.migration = opened?.migration;
      const made = new Set(due);
      logEntries = this.successes(alterations.filter((alteration) => made.has(alteration)));
      if (order.report) wec.outgoing.push(order.report(logEntries));
    };
    try {
      await this.editor.change(workflowInstanceId, change, open, order.extras);
    } catch (error) {
      const isKept = migration?.type === 'Migrate' && !workflowHasScheduledWork;
      throw (isKept && tooLargeToKeep(workflowInstanceId, opened, error)) || error;
    }
    if (left !== undefined) await this.afterStored(this.outbox.wake(workflowInstanceId, left));
    if (isRepaired) await this.afterStored(this.outbox.endPauses(workflowInstanceId));
    const result = { workflowInstanceId, log: { logEntries }, workflowHasScheduledWork, isSuccessful: true };
    return { result, report: opened?.report };
  }

  /** The change is stored: should this fail, nodes find what waits with one of their next looks. */
  private async afterStored(waking: Promise<void>): Promise<void> {
    try {
      await waking;
    } catch (error) {
      if (!this.outages.report(error)) throw error;
    }
  }

  /** Not as a change: a burst that runs receives the cancellation, and a paused runtime cancels as well. */
  private async cancel(
    workflowInstanceId: string,
    alterations: readonly Alteration[],
    order: AlterationOrder,
  ): Promise<AlterationResult> {
    if ((await this.persistence.instances.count({ ids: [workflowInstanceId] })) === 0)
      throw new InstanceNotFoundError(workflowInstanceId);
    const { planId, jobId, by } = order;
    const [cancellation] = alterations;
    if (cancellation)
      await this.bursts.cancel(workflowInstanceId, {}, (wec) =>
        recordAlteration(wec, cancellation, { planId, jobId, by }),
      );
    const log = { logEntries: this.successes(alterations) };
    return { workflowInstanceId, log, workflowHasScheduledWork: false, isSuccessful: true };
  }

  /** Undefined for what is not about this instance, or may go better the next time that its job is tried. */
  private failures(error: unknown, { jobId }: AlterationOrder): AlterationLogEntry[] | undefined {
    if (error instanceof AlterationFailure) return [this.entry(error.alteration, false, error.message)];
    if (error instanceof MigrationRefusedError)
      return error.problems.map(({ message }) => this.entry('Migrate', false, message));
    if (error instanceof MigrationTooLargeError) return [this.entry('Migrate', false, error.message)];
    if (error instanceof MigrationNotUndoableError) return [this.entry('UndoMigration', false, error.message)];
    // Not counted, and tried no more: it may take days until the other one has ended.
    if (isWaymarkError(error, 'WM7005')) return [this.entry('ScheduleActivity', false, codedText(error))];
    if (error instanceof InstanceBusyError && jobId === undefined) return [this.entry('Migrate', false, error.message)];
    return undefined;
  }

  private successes(alterations: readonly Alteration[]): AlterationLogEntry[] {
    return alterations.map(({ type }) => this.entry(type, true, `${type} succeeded`));
  }

  private entry(type: Alteration['type'], succeeded: boolean, message: string): AlterationLogEntry {
    return {
      message,
      logLevel: succeeded ? 'Information' : 'Error',
      timestamp: new Date(this.clock.now()),
      eventName: `Alteration ${type} ${succeeded ? 'succeeded' : 'failed'}`,
    };
  }
}

/** Nothing but cancelling: doing it again changes nothing. */
export function isRepeatable(alterations: readonly Alteration[]): boolean {
  return alterations.every(({ type }) => type === 'Cancel');
}

/** Undefined where the state would be too large without the one before it, too. */
function tooLargeToKeep(
  id: string,
  opened: OpenedInstance | undefined,
  error: unknown,
): MigrationTooLargeError | undefined {
  if (!opened?.migration || !isWaymarkError(error, 'WM7017')) return undefined;
  const { bytes = 0, maxBytes = Infinity } = error as ValueTooLargeError;
  // As it stands in the state: a text within a text.
  const kept = Buffer.byteLength(JSON.stringify(opened.migration.before));
  return bytes - kept > maxBytes ? undefined : new MigrationTooLargeError(id, kept, { cause: error });
}

/** @throws AlterationFailure when there are several: an instance moves once at a time */
function migrationAmong(alterations: readonly Alteration[]) {
  const [migration, another] = alterations.filter((a) => a.type === 'Migrate' || a.type === 'UndoMigration');
  if (another)
    throw new AlterationFailure(another.type, 'An instance moves to one version at a time: give one Migrate');
  return migration;
}
