import { Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '@waymark/core';
import type { DefinitionDeletion } from '../persistence/bulk-plan-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DefinitionBeingDeletedError } from '../services/definition-errors.js';

/** Definitions and versions that bulk plans delete when their instances are gone. */
@Injectable()
export class DeletionsUnderWay {
  constructor(private readonly persistence: WorkflowPersistence) {}

  /**
   * Asked right before a version is written: what is written now would go with the plan.
   * @throws DefinitionBeingDeletedError
   */
  async requireNone(version: Pick<WorkflowDefinition, 'id' | 'definitionId'>): Promise<void> {
    for (const deletion of await this.persistence.bulkPlans.findDeletions())
      if (isMeant(version, deletion)) throw new DefinitionBeingDeletedError(version.definitionId);
  }
}

function isMeant({ id, definitionId }: Pick<WorkflowDefinition, 'id' | 'definitionId'>, deletion: DefinitionDeletion) {
  return 'definitionIds' in deletion
    ? deletion.definitionIds.includes(definitionId)
    : deletion.definitionVersionIds.includes(id);
}
