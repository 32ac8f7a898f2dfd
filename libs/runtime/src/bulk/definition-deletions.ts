import { Injectable } from '@nestjs/common';
import { type DeleteOptions, IWorkflowDefinitionPublisher } from '../services/definition-services.js';
import type { DefinitionDeletion, PlanRequester } from '../persistence/bulk-plan-store.js';
import type { DefinitionVersion } from '../persistence/definition-store.js';
import { chunksOf, inChunks } from '../persistence/in-chunks.js';
import type { InstanceFilter } from '../persistence/instance-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import { requireExpected } from '../definitions/require-expected.js';
import { BulkPlans } from './bulk-plans.js';
import { deleteNow } from './delete-definitions.js';

/** Ids in one query, and in one filter of a plan, which looks for instances of some of them at a time. */
const LOOKED_FOR = 5000;

/** How definitions are deleted. */
interface DeletionOptions extends Pick<DeleteOptions, 'over'> {
  readonly requestedBy?: PlanRequester | undefined;
}

/** Result of a deletion: the number of deleted versions, or the plan that deletes them. */
export type DeletionOutcome =
  | { readonly deleted: number; readonly planId?: undefined }
  | { readonly deleted: 0; readonly planId: string };

/**
 * Deletes definitions or versions with their instances. Those with few instances are gone before it returns; for others a bulk
 * plan deletes the instances and, as they need their definition until they have ended, the definition after them.
 */
@Injectable()
export class DefinitionDeletions {
  private readonly logger = new WorkflowLogger('WorkflowBulkPlans');

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly publisher: IWorkflowDefinitionPublisher,
    private readonly plans: BulkPlans,
  ) {}

  /**
   * Deletes definitions or versions, with their instances.
   * @param most instances that are deleted before it returns, in all. What has more is retracted first: it starts no more
   * @param options `over`: what is deleted, as it was read; of one definition or version. `requestedBy`: who asks for it
   * @throws DefinitionChangedError (`WM7043`) when `over` does not match
   */
  async run(
    deletion: DefinitionDeletion,
    most: number,
    { over, requestedBy }: DeletionOptions = {},
  ): Promise<DeletionOutcome> {
    const versions = await this.versionsOf(deletion);
    const filters = versions.length === 0 ? [] : instancesOf(deletion, versions);
    if (!(await this.hasMore(filters, most))) return { deleted: await deleteNow(this.publisher, deletion, { over }) };
    const expected = versions.find(({ isLatest }) => isLatest || 'definitionVersionIds' in deletion);
    requireExpected(versions[0]!.definitionId, expected, over, 'deleted');
    await this.retractAll(versions);
    const request = { action: 'DeleteInstances', filters } as const;
    const planId = await this.plans.submit(request, { deletes: deletion, requestedBy });
    // From now on no version can be published; one that was being published is retracted as well.
    await this.retractAll(await this.versionsOf({ definitionVersionIds: versions.map(({ id }) => id) }));
    return { deleted: 0, planId };
  }

  private async versionsOf(deletion: DefinitionDeletion): Promise<DefinitionVersion[]> {
    const { definitions } = this.persistence;
    const isWhole = 'definitionIds' in deletion;
    const found: DefinitionVersion[] = [];
    await inChunks(isWhole ? deletion.definitionIds : deletion.definitionVersionIds, LOOKED_FOR, async (ids) => {
      for (const version of await definitions.findVersions(isWhole ? { definitionIds: ids } : { ids }))
        found.push(version);
    });
    return found;
  }

  private async hasMore(filters: readonly InstanceFilter[], most: number): Promise<boolean> {
    let left = most;
    for (const filter of filters) {
      left -= (await this.persistence.instances.findIds(filter, { limit: left + 1 })).length;
      if (left < 0) return true;
    }
    return false;
  }

  /** One that cannot be read stays published until it is deleted: it starts nothing, and deleting does not read it. */
  private async retractAll(versions: readonly DefinitionVersion[]): Promise<void> {
    const published = versions.flatMap((version) => (version.isPublished ? [version.definitionId] : []));
    const { failures } = await this.publisher.retractMany(published);
    for (const { id, message } of failures)
      this.logger.warn(`Workflow '${id}' could not be retracted before it is deleted: ${message}`);
  }
}

/** @param versions all that are deleted: instances are found by their definitions, and by these where some of their versions stay */
function instancesOf(deletion: DefinitionDeletion, versions: readonly DefinitionVersion[]): InstanceFilter[] {
  if ('definitionIds' in deletion)
    return chunksOf(deletion.definitionIds, LOOKED_FOR).map((definitionIds) => ({ definitionIds }));
  return chunksOf(versions, LOOKED_FOR).map((some) => ({
    definitionIds: [...new Set(some.map(({ definitionId }) => definitionId))],
    definitionVersionIds: some.map(({ id }) => id),
  }));
}
