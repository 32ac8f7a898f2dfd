import { Injectable } from '@nestjs/common';
import type { OutgoingMessage, WorkflowExecutionContext } from '@waymark/core';
import { WorkflowClock } from '../clock/workflow-clock.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import type { BurstExtras } from '../bursts/burst-commit-builder.js';
import { BurstExecutor } from '../bursts/burst-executor.js';
import { InstanceEditor } from '../instances/instance-editor.js';
import { InstanceNotFoundError } from '../services/instance-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import {
  type Alteration,
  AlterationFailure,
  type AlterationLogEntry,
  type AlterationResult,
} from '../persistence/alteration.js';
import { recordAlteration } from './alteration-journal.js';
import { applyAlteration } from './apply-alteration.js';

/** On whose behalf an instance is altered. */
export interface AlterationOrder {
  readonly planId?: string;
  readonly jobId?: string;
  /** What the commit of the changes uses up. Not for a repeatable list, which may find nothing to commit. */
  readonly extras?: BurstExtras;
  /** A message that goes with the commit of the changes; likewise. */
  readonly report?: (log: readonly AlterationLogEntry[]) => OutgoingMessage;
}

/** Applies alterations to instances: all of a list or none of it, in one commit with a journal entry for each. */
@Injectable()
export class AlterationRunner {
  constructor(
    private readonly editor: InstanceEditor,
    private readonly bursts: BurstExecutor,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
  ) {}

  /** @throws InstanceNotFoundError */
  async run(
    workflowInstanceId: string,
    alterations: readonly Alteration[],
    order: AlterationOrder = {},
  ): Promise<AlterationResult> {
    try {
      return isRepeatable(alterations)
        ? await this.cancel(workflowInstanceId, alterations, order)
        : await this.change(workflowInstanceId, alterations, order);
    } catch (error) {
      if (!(error instanceof AlterationFailure)) throw error;
      const logEntries = [this.entry(error.alteration, false, error.message)];
      return { workflowInstanceId, log: { logEntries }, workflowHasScheduledWork: false, isSuccessful: false };
    }
  }

  private async change(
    workflowInstanceId: string,
    alterations: readonly Alteration[],
    order: AlterationOrder,
  ): Promise<AlterationResult> {
    const versionId = await this.targetVersion(workflowInstanceId, alterations);
    // Cancelling is the end, wherever it stands.
    const ordered = alterations.toSorted((a, b) => Number(a.type === 'Cancel') - Number(b.type === 'Cancel'));
    const isRun = alterations.some(({ type }) => type === 'ScheduleActivity');
    let workflowHasScheduledWork = false;
    let logEntries: readonly AlterationLogEntry[] = [];
    const change = async (wec: WorkflowExecutionContext) => {
      for (const alteration of ordered) {
        recordAlteration(wec, alteration, order);
        await applyAlteration(wec, alteration, isRun);
      }
      workflowHasScheduledWork = wec.queue.size > 0;
      logEntries = this.successes(alterations);
      if (order.report) wec.outgoing.push(order.report(logEntries));
    };
    await this.editor.change(workflowInstanceId, change, versionId, order.extras);
    return { workflowInstanceId, log: { logEntries }, workflowHasScheduledWork, isSuccessful: true };
  }

  /** Not as a change: a burst that runs is told to stop, and a paused runtime cancels as well. */
  private async cancel(
    workflowInstanceId: string,
    alterations: readonly Alteration[],
    order: AlterationOrder,
  ): Promise<AlterationResult> {
    if ((await this.persistence.instances.count({ ids: [workflowInstanceId] })) === 0)
      throw new InstanceNotFoundError(workflowInstanceId);
    const [cancellation] = alterations;
    if (cancellation)
      await this.bursts.cancel(workflowInstanceId, {}, (wec) => recordAlteration(wec, cancellation, order));
    const log = { logEntries: this.successes(alterations) };
    return { workflowInstanceId, log, workflowHasScheduledWork: false, isSuccessful: true };
  }

  /** Id of the version to go on with; `undefined`: the one it has. */
  private async targetVersion(id: string, alterations: readonly Alteration[]): Promise<string | undefined> {
    const migration = alterations.findLast((a) => a.type === 'Migrate');
    if (!migration) return undefined;
    const { items } = await this.persistence.instances.findMany({ ids: [id] });
    const definitionId = items[0]?.definitionId;
    const target =
      definitionId && (await this.definitions.find({ definitionId, versionOptions: migration.targetVersion }));
    if (!target)
      throw new AlterationFailure('Migrate', `There is no version ${migration.targetVersion} of the workflow`);
    return target.id;
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
