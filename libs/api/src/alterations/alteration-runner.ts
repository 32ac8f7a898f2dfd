import { Injectable } from '@nestjs/common';
import type { WorkflowExecutionContext } from '@waymark/core';
import {
  IWorkflowCancellationService,
  IWorkflowDefinitionService,
  WorkflowClock,
  WorkflowPersistence,
} from '@waymark/runtime';
import { InstanceEditor } from '../instances/instance-editor.js';
import type { Alteration, AlterationLogEntry, AlterationResult } from './alteration.js';
import { AlterationFailure, applyAlteration } from './apply-alteration.js';

/** Applies alterations to instances: all of a list or none of it. */
@Injectable()
export class AlterationRunner {
  constructor(
    private readonly editor: InstanceEditor,
    private readonly cancellation: IWorkflowCancellationService,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly persistence: WorkflowPersistence,
    private readonly clock: WorkflowClock,
  ) {}

  /** @throws InstanceNotFoundError */
  async run(workflowInstanceId: string, alterations: readonly Alteration[]): Promise<AlterationResult> {
    try {
      const workflowHasScheduledWork = await this.apply(workflowInstanceId, alterations);
      const logEntries = alterations.map(({ type }) => this.entry(type, true, `${type} succeeded`));
      return { workflowInstanceId, log: { logEntries }, workflowHasScheduledWork, isSuccessful: true };
    } catch (error) {
      if (!(error instanceof AlterationFailure)) throw error;
      const logEntries = [this.entry(error.alteration, false, error.message)];
      return { workflowInstanceId, log: { logEntries }, workflowHasScheduledWork: false, isSuccessful: false };
    }
  }

  private async apply(id: string, alterations: readonly Alteration[]): Promise<boolean> {
    let hasScheduledWork = false;
    if (alterations.some((a) => a.type !== 'Cancel')) {
      const versionId = await this.targetVersion(id, alterations);
      const change = async (wec: WorkflowExecutionContext) => {
        for (const alteration of alterations) await applyAlteration(wec, alteration);
        hasScheduledWork = wec.queue.size > 0;
      };
      await this.editor.change(id, change, versionId);
    }
    if (alterations.some((a) => a.type === 'Cancel')) await this.cancellation.cancel([id]);
    return hasScheduledWork;
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

  private entry(type: Alteration['type'], succeeded: boolean, message: string): AlterationLogEntry {
    return {
      message,
      logLevel: succeeded ? 'Information' : 'Error',
      timestamp: new Date(this.clock.now()),
      eventName: `Alteration ${type} ${succeeded ? 'succeeded' : 'failed'}`,
    };
  }
}
