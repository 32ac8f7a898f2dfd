import { Injectable } from '@nestjs/common';
import { registerWorkflowActivity } from '@waymark/core';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';

/** Keeps the activity registry in step with the workflows that are usable as activities. */
@Injectable()
export class WorkflowActivities {
  private readonly registered = new Set<string>();

  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly engine: WorkflowEngine,
  ) {}

  /** Registers all of them anew: at start-up, and when another node changed definitions. */
  async refreshAll(): Promise<void> {
    const { items } = await this.persistence.definitions.findMany({ usableAsActivity: true });
    const ids = new Set([...this.registered, ...items.map((d) => d.definitionId)]);
    for (const id of ids)
      this.replace(
        id,
        items.filter((d) => d.definitionId === id),
      );
  }

  /** All versions of one definition. */
  async refresh(definitionId: string): Promise<void> {
    const { items } = await this.persistence.definitions.findMany({ definitionId, usableAsActivity: true });
    if (items.length || this.registered.has(definitionId)) this.replace(definitionId, items);
  }

  private replace(definitionId: string, versions: Parameters<typeof registerWorkflowActivity>[1][]): void {
    this.engine.activities.unregister((d) => d.constructionProperties.WorkflowDefinitionId === definitionId);
    for (const definition of versions) registerWorkflowActivity(this.engine.activities, definition);
    if (versions.length) this.registered.add(definitionId);
    else this.registered.delete(definitionId);
  }
}
