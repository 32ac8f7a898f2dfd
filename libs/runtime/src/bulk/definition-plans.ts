import { Injectable, type OnModuleInit } from '@nestjs/common';
import { loopTurns } from '../event-loop/loop-turns.js';
import type { BulkFailure, BulkResult, PlanRequester } from '../persistence/bulk-plan-store.js';
import { failureOf } from '../persistence/failure-of.js';
import { isStoreOutage } from '../persistence/persistence-errors.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import {
  DefinitionInvalidError,
  DefinitionNotFoundError,
  DefinitionReadonlyError,
} from '../services/definition-errors.js';
import {
  IWorkflowDefinitionPublisher,
  IWorkflowDefinitionService,
  type PublishResult,
  type RefreshResult,
} from '../services/definition-services.js';
import { PlanSteps } from './plan-steps.js';

/** Done one after the other, while others wait for the place of the message. */
const DEFINITIONS_OF_STEP = 20;
/** Mostly reading: nothing is written where the triggers are as they should be. */
const REFRESHES_OF_STEP = 50;

/** Publishes, retracts and refreshes many definitions in the background. */
@Injectable()
export class DefinitionPlans implements OnModuleInit {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly steps: PlanSteps,
  ) {}

  /** Called by Nest. */
  onModuleInit(): void {
    this.steps.register({
      action: 'PublishDefinitions',
      size: DEFINITIONS_OF_STEP,
      perform: ({ ids, requestedBy }, signal) => this.publishAll(ids, requestedBy, signal),
    });
    this.steps.register({
      action: 'RetractDefinitions',
      size: DEFINITIONS_OF_STEP,
      perform: ({ ids }) => this.retractAll(ids),
    });
    this.steps.register({
      action: 'RefreshDefinitions',
      size: REFRESHES_OF_STEP,
      perform: ({ ids }) => this.refreshAll(ids),
    });
  }

  /**
   * Does one of these by a plan: publishes the latest versions, retracts the published ones, or works out the triggers again. What is
   * as it should be already stays as it is. @returns the id of the plan
   */
  submit(
    action: 'PublishDefinitions' | 'RetractDefinitions' | 'RefreshDefinitions',
    definitionIds: readonly string[],
    requestedBy?: PlanRequester,
  ): Promise<string> {
    return this.steps.submit({ action, ids: definitionIds, requestedBy });
  }

  /**
   * Works out the triggers of these definitions again, of all published ones without ids: before it returns, or by a plan where there are
   * more than `most`.
   */
  async refresh(
    definitionIds: readonly string[] | undefined,
    most: number,
    requestedBy?: PlanRequester,
  ): Promise<(RefreshResult & { readonly planId?: undefined }) | { readonly planId: string }> {
    const published = { versionOptions: 'Published' } as const;
    const ids =
      definitionIds ??
      (await this.persistence.definitions.findVersions(published)).map(({ definitionId }) => definitionId);
    if (ids.length <= most) return this.publisher.refresh(ids);
    // What this node remembers of them is read again from now on, as if it had been done before the answer.
    this.definitions.evict(definitionIds);
    return { planId: await this.submit('RefreshDefinitions', ids, requestedBy) };
  }

  private async publishAll(
    ids: readonly string[],
    requestedBy: PlanRequester | undefined,
    signal: AbortSignal,
  ): Promise<BulkResult> {
    let changed = 0;
    const failures: BulkFailure[] = [];
    for (const id of ids) {
      if (signal.aborted) break;
      // Stores may answer without leaving the process.
      const turn = loopTurns.goOn();
      if (turn) await turn;
      try {
        const { alreadyPublished, failedConsumers } = await this.publish(id, requestedBy);
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
  private async publish(definitionId: string, requestedBy: PlanRequester | undefined): Promise<PublishResult> {
    const [latest] = await this.persistence.definitions.findVersions({ definitionId, versionOptions: 'Latest' });
    if (latest?.isReadonly) throw new DefinitionReadonlyError(definitionId);
    const result = await this.publisher.publish(definitionId, { requestedBy });
    if (!result.succeeded) throw new DefinitionInvalidError(definitionId, result.problems);
    return result;
  }

  /** Those of code and those that are gone are failures, as for a publish; those that are not published are not. */
  private async retractAll(ids: readonly string[]): Promise<BulkResult> {
    const latest = await this.persistence.definitions.findVersions({ definitionIds: ids, versionOptions: 'Latest' });
    const readonly = new Set(latest.flatMap((version) => (version.isReadonly ? [version.definitionId] : [])));
    const refused = [...readonly].map((id) => failureOf(id, new DefinitionReadonlyError(id)));
    const { retracted, notFound, failures } = await this.publisher.retractMany(ids.filter((id) => !readonly.has(id)));
    return { changed: retracted.length, failures: [...refused, ...notFound.map(notFoundFailure), ...failures] };
  }

  private async refreshAll(ids: readonly string[]): Promise<BulkResult> {
    const { refreshed, notFound, failed } = await this.publisher.refresh(ids);
    const failures = failed.map(({ definitionId: id, code, message }) => ({ id, code, message }));
    return { changed: refreshed.length, failures: [...failures, ...notFound.map(notFoundFailure)] };
  }
}

function notFoundFailure(definitionId: string): BulkFailure {
  return failureOf(definitionId, new DefinitionNotFoundError({ definitionId, versionOptions: 'Latest' }));
}
