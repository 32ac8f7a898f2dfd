import { Injectable } from '@nestjs/common';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { ForeignInstanceError, InstanceNotFoundError } from '../services/instance-errors.js';
import type { InstanceDescription } from '../services/typed-workflows.js';
import { InstanceEditor } from './instance-editor.js';
import { shownVariables } from './shown-variables.js';

/** Where instances stand, for the application that started them. */
@Injectable()
export class InstanceDescriptions {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly editor: InstanceEditor,
  ) {}

  /** @throws InstanceNotFoundError, ForeignInstanceError for an instance of another workflow */
  async describe(definitionId: string, id: string): Promise<InstanceDescription> {
    const [found] = (await this.persistence.instances.findMany({ ids: [id] })).items;
    if (!found) throw new InstanceNotFoundError(id);
    if (found.definitionId !== definitionId) throw new ForeignInstanceError(id, found.definitionId, definitionId);
    const wec = await this.editor.open(id);
    const { status, subStatus, name, correlationId, incidents } = wec;
    const variables = shownVariables(wec).map((variable) => [variable.name, variable.value ?? null]);
    return {
      workflowInstanceId: id,
      version: found.version,
      status,
      subStatus,
      name,
      correlationId,
      incidents: [...incidents],
      variables: Object.fromEntries(variables) as Record<string, unknown>,
      createdAt: found.createdAt,
      updatedAt: found.updatedAt,
    };
  }
}
