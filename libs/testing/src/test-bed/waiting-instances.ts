import type { Bookmark } from '@waymark/core';
import { IWorkflowDefinitionService, WorkflowPersistence } from '@waymark/runtime';
import { type LoadedInstance } from '@waymark/runtime/adapter';

/** A bookmark as the state of its instance has it, with the type of the activity that waits. */
export interface AwaitedBookmark extends Bookmark {
  /** Id of the workflow instance. */
  readonly workflowInstanceId: string;
  /** Type name of the activity, such as `Elsa.WriteLine`. */
  readonly activityType: string;
}

const DESCRIBED = 5;

/** Reads what instances wait for, for tests and for the sentences that tell them why they wait in vain. */
export class WaitingInstances {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
  ) {}

  find(workflowInstanceId: string): Promise<LoadedInstance | undefined> {
    return this.persistence.instances.load(workflowInstanceId);
  }

  /** Bookmarks of one instance, or of all that are running, oldest instance first. */
  async bookmarks(workflowInstanceId?: string): Promise<AwaitedBookmark[]> {
    const found = await this.instances(workflowInstanceId);
    return (await Promise.all(found.map((instance) => this.bookmarksOf(instance)))).flat();
  }

  /** What they wait for, in sentences. */
  async describe(workflowInstanceId?: string): Promise<string> {
    const sentences = [...(await this.describeInstances(workflowInstanceId)), ...(await this.describeMessages())];
    return sentences.join(' ');
  }

  private async describeInstances(workflowInstanceId: string | undefined): Promise<string[]> {
    const found = await this.instances(workflowInstanceId);
    if (found.length === 0)
      return [
        workflowInstanceId === undefined ? 'No instance is running.' : `There is no instance "${workflowInstanceId}".`,
      ];
    const sentences = await Promise.all(found.slice(0, DESCRIBED).map((instance) => this.describeOne(instance)));
    if (found.length > DESCRIBED) sentences.push(`${found.length - DESCRIBED} more are running.`);
    return sentences;
  }

  private async instances(workflowInstanceId: string | undefined): Promise<LoadedInstance[]> {
    const ids =
      workflowInstanceId === undefined
        ? await this.persistence.instances.findIds({ statuses: ['Running'] })
        : [workflowInstanceId];
    const loaded = await Promise.all(ids.map((id) => this.find(id)));
    return loaded
      .filter((instance) => instance !== undefined)
      .toSorted((left, right) => left.createdAt.getTime() - right.createdAt.getTime());
  }

  private async bookmarksOf({ id, status, definitionVersionId, state }: LoadedInstance): Promise<AwaitedBookmark[]> {
    if (status !== 'Running' || state.bookmarks.length === 0) return [];
    const graph = await this.definitions.graph(definitionVersionId);
    return state.bookmarks.map((bookmark) => {
      const activityType = graph.findByNodeId(bookmark.activityNodeId)?.type ?? bookmark.name;
      return { ...bookmark, workflowInstanceId: id, activityType };
    });
  }

  private async describeOne(instance: LoadedInstance): Promise<string> {
    const { id, definitionId, subStatus, state } = instance;
    const places = (await this.bookmarksOf(instance)).map(describePlace);
    const waits = places.length > 0 ? ` and waits at ${places.join(', ')}` : '';
    const faults = state.incidents.map(({ activityId, message }) => `'${activityId}' failed: ${message}`);
    const incidents = faults.length > 0 ? ` (${faults.join('; ')})` : '';
    return `Instance "${id}" of '${definitionId}' is ${subStatus}${incidents}${waits}.`;
  }

  private async describeMessages(): Promise<string[]> {
    const { waiting, deadLetters } = await this.persistence.outbox.count();
    return [
      ...(waiting > 0 ? [`Messages that wait for their next attempt: ${waiting}.`] : []),
      ...(deadLetters > 0 ? [`Messages that became dead letters after their last attempt: ${deadLetters}.`] : []),
    ];
  }
}

function describePlace({ activityId, activityType, dueAt, payload }: AwaitedBookmark): string {
  if (dueAt) return `'${activityId}' (${activityType}) until ${dueAt.toISOString()}`;
  return `'${activityId}' (${activityType}${payload === undefined ? '' : ` ${JSON.stringify(payload)}`})`;
}
