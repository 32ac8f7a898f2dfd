import { Injectable } from '@nestjs/common';
import type { WorkflowDefinitionHandle } from '../services/definition-handle.js';
import type { BookmarkQueueDeadLetter, OutboxMessage } from '../persistence/records.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** What payloads of messages say, whatever their kind. */
interface AnyPayload {
  readonly workflowInstanceId?: unknown;
  /** Of kind `start`. */
  readonly definition?: WorkflowDefinitionHandle;
}

/** Which dead letters concern instances of some definitions. Rows do not say it: the instances do, or the payloads. */
@Injectable()
export class DeadLetterDefinitions {
  constructor(private readonly persistence: WorkflowPersistence) {}

  /** @param definitionIds undefined: no condition */
  async ofMessages(
    messages: readonly OutboxMessage[],
    definitionIds: readonly string[] | undefined,
  ): Promise<readonly OutboxMessage[]> {
    if (!definitionIds) return messages;
    const wanted = new Set(definitionIds);
    const versions = await this.versionsOf(
      messages.flatMap(({ payload }) => versionIdIn(payload) ?? []),
      definitionIds,
    );
    const instances = await this.instancesOf(
      messages.flatMap((message) => instanceIdIn(message) ?? []),
      definitionIds,
    );
    return messages.filter((message) => {
      const [definitionId, versionId] = [definitionIdIn(message.payload), versionIdIn(message.payload)];
      if (definitionId !== undefined) return wanted.has(definitionId);
      if (versionId !== undefined) return versions.has(versionId);
      const instanceId = instanceIdIn(message);
      return instanceId !== undefined && instances.has(instanceId);
    });
  }

  /** @param definitionIds undefined: no condition */
  async ofStimuli(
    letters: readonly BookmarkQueueDeadLetter[],
    definitionIds: readonly string[] | undefined,
  ): Promise<readonly BookmarkQueueDeadLetter[]> {
    if (!definitionIds) return letters;
    const ids = letters.flatMap(({ workflowInstanceId }) => workflowInstanceId ?? []);
    const instances = await this.instancesOf(ids, definitionIds);
    return letters.filter(({ workflowInstanceId: id }) => id !== undefined && instances.has(id));
  }

  private async instancesOf(ids: readonly string[], definitionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    return new Set(await this.persistence.instances.findIds({ ids: [...new Set(ids)], definitionIds }));
  }

  private async versionsOf(ids: readonly string[], definitionIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const versions = await this.persistence.definitions.findVersions({ ids: [...new Set(ids)], definitionIds });
    return new Set(versions.map(({ id }) => id));
  }
}

function definitionIdIn(payload: unknown): string | undefined {
  const handle = (payload as AnyPayload | null)?.definition;
  if (typeof handle === 'string') return handle;
  return handle && 'definitionId' in handle ? handle.definitionId : undefined;
}

function versionIdIn(payload: unknown): string | undefined {
  const handle = (payload as AnyPayload | null)?.definition;
  return typeof handle === 'object' && 'definitionVersionId' in handle ? handle.definitionVersionId : undefined;
}

function instanceIdIn({ workflowInstanceId, payload }: OutboxMessage): string | undefined {
  const named = workflowInstanceId ?? (payload as AnyPayload | null)?.workflowInstanceId;
  return typeof named === 'string' ? named : undefined;
}
