import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '@waymark/core';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { DefinitionChanged, WorkflowEvent, WorkflowTriggersIndexed } from '../events/workflow-events.js';
import { afterCommit } from '../persistence/after-commit.js';
import type { DefinitionChange, LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { DefinitionNotFoundError, requireDefinitionId } from '../services/definition-errors.js';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import type { IndexedTriggers } from '../services/trigger-services.js';
import { WorkflowActivities } from './workflow-activities.js';

/** Writes changes of definitions, and brings what this node remembers of them up to date. */
@Injectable()
export class DefinitionWrites {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly activities: WorkflowActivities,
    private readonly events: WorkflowEventEmitter,
  ) {}

  /**
   * @param indexed what becomes of the triggers of each definition
   * @param deletedFrom definitions from which versions are deleted
   */
  async apply(
    change: DefinitionChange,
    indexed: readonly IndexedTriggers[] = [],
    deletedFrom: readonly string[] = [],
  ): Promise<void> {
    await this.persistence.definitions.apply(change);
    const saved = change.saved.map(({ definition }) => definition);
    const definitionIds = [
      ...new Set([
        ...saved.map(({ definitionId }) => definitionId),
        ...indexed.map(({ definitionId }) => definitionId),
        ...deletedFrom,
      ]),
    ];
    try {
      await afterCommit(() => this.activities.refresh(definitionIds));
    } finally {
      // After the types: what is compiled from now on is compiled with them.
      this.definitions.evictVersions(definitionIds, [...saved.map(({ id }) => id), ...change.deletedIds]);
    }
    for (const triggers of indexed)
      await this.events.emit(WorkflowEvent.TriggersIndexed, new WorkflowTriggersIndexed(triggers));
  }

  /** As it is stored now. @throws DefinitionNotFoundError */
  async stored(definition: WorkflowDefinition, event: WorkflowEvent): Promise<LoadedDefinition> {
    await nextTurn();
    const loaded = await afterCommit(() => this.persistence.definitions.find({ id: definition.id }));
    if (!loaded) throw new DefinitionNotFoundError({ definitionVersionId: definition.id });
    await this.events.emit(event, new DefinitionChanged(loaded));
    return loaded;
  }

  /** The same for several. Those that are deleted again by then are left out. */
  async allStored(definitions: readonly WorkflowDefinition[], event: WorkflowEvent): Promise<void> {
    await nextTurn();
    const ids = definitions.map(({ id }) => id);
    const loaded = await afterCommit(() => this.persistence.definitions.findMany({ ids }));
    for (const definition of loaded.items) await this.events.emit(event, new DefinitionChanged(definition));
  }

  /** @throws DefinitionNotFoundError */
  async requireLatest(definitionId: string): Promise<LoadedDefinition> {
    requireDefinitionId(definitionId);
    const latest = await this.persistence.definitions.find({ definitionId, versionOptions: 'Latest' });
    if (!latest) throw new DefinitionNotFoundError({ definitionId, versionOptions: 'Latest' });
    return latest;
  }
}
