import { Injectable, type OnModuleInit } from '@nestjs/common';
import { loopTurns } from '../event-loop/loop-turns.js';
import type { BulkFailure, BulkResult } from '../persistence/bulk-plan-store.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DefinitionInvalidError, DefinitionReadonlyError } from '../services/definition-errors.js';
import { IWorkflowDefinitionPublisher, type PublishResult } from '../services/definition-services.js';
import { failureOf, PlanSteps } from './plan-steps.js';

/** Published one after the other, while others wait for the place of the message. */
const DEFINITIONS_OF_STEP = 20;

/** Publishes many definitions in the background. */
@Injectable()
export class PublishPlans implements OnModuleInit {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly steps: PlanSteps,
  ) {}

  /** Called by Nest. */
  onModuleInit(): void {
    this.steps.register({
      action: 'PublishDefinitions',
      size: DEFINITIONS_OF_STEP,
      perform: (ids, _filter, signal) => this.publishAll(ids, signal),
    });
  }

  /** Those that are published already stay as they are. @returns the id of the plan */
  submit(definitionIds: readonly string[]): Promise<string> {
    return this.steps.submit({ action: 'PublishDefinitions', filters: [{ ids: definitionIds }] });
  }

  private async publishAll(ids: readonly string[], signal: AbortSignal): Promise<BulkResult> {
    let changed = 0;
    const failures: BulkFailure[] = [];
    for (const id of ids) {
      if (signal.aborted) break;
      // Stores may answer without leaving the process.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      try {
        const { alreadyPublished, failedConsumers } = await this.publish(id);
        if (!alreadyPublished) changed++;
        // Where the request publishes, its answer says so.
        failures.push(...(failedConsumers ?? []));
      } catch (error) {
        if (isStoreOutage(error)) throw error;
        failures.push(failureOf(id, error));
      }
    }
    return { changed, failures };
  }

  /** @throws DefinitionNotFoundError, DefinitionReadonlyError, DefinitionInvalidError */
  private async publish(definitionId: string): Promise<PublishResult> {
    const [latest] = await this.persistence.definitions.findVersions({ definitionId, versionOptions: 'Latest' });
    if (latest?.isReadonly) throw new DefinitionReadonlyError(definitionId);
    const result = await this.publisher.publish(definitionId);
    if (!result.succeeded) throw new DefinitionInvalidError(definitionId, result.problems);
    return result;
  }
}
