import { Injectable } from '@nestjs/common';
import { findReferences, pascalize, replaceReferences } from '@waymark/core/adapter';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { DefinitionDraft } from '../services/definition-services.js';

/** Each of them costs a query. Elsa's graph of references ends there as well. */
const MAX_CONSUMERS = 1000;

type Save = (draft: DefinitionDraft, publish: boolean) => Promise<LoadedDefinition | undefined>;

/** Finds and updates the workflows that use another one as an activity. */
@Injectable()
export class ConsumerUpdater {
  constructor(private readonly persistence: WorkflowPersistence) {}

  /**
   * Ids of definitions whose latest version uses any version of that one, directly or through others; the nearest first,
   * each once, no more than `MAX_CONSUMERS`.
   */
  async find(definitionId: string): Promise<string[]> {
    // A set is walked in the order in which it grows, also while it grows. Circles end where they began.
    const found = new Set([definitionId]);
    for (const id of found)
      for (const consumer of await this.persistence.definitions.findConsumers(id))
        if (found.size <= MAX_CONSUMERS) found.add(consumer.definitionId);
    return [...found].slice(1);
  }

  /**
   * Points consumers to the published version. Published ones are published again, drafts are saved. What a consumer's
   * own consumers need follows from publishing it.
   */
  async update(published: LoadedDefinition, save: Save): Promise<LoadedDefinition[]> {
    const { usableAsActivity, autoUpdateConsumingWorkflows } = published.options;
    if (!usableAsActivity || !autoUpdateConsumingWorkflows) return [];
    const changed: LoadedDefinition[] = [];
    for (const { id, isReadonly } of await this.persistence.definitions.findConsumers(published.definitionId)) {
      const consumer = isReadonly ? undefined : await this.persistence.definitions.find({ id });
      if (!consumer?.isLatest || !this.isOutdated(consumer, published)) continue;
      const target = {
        definitionVersionId: published.id,
        version: published.version,
        type: pascalize(published.name ?? published.definitionId),
      };
      const root = replaceReferences(consumer.root, (r) => (isTo(r, published) ? target : undefined));
      const saved = await save({ ...consumer, root }, consumer.isPublished);
      if (saved) changed.push(saved);
    }
    return changed;
  }

  private isOutdated(consumer: LoadedDefinition, published: LoadedDefinition): boolean {
    return findReferences(consumer.root).some(
      (r) => isTo(r, published) && (r.version !== published.version || r.definitionVersionId !== published.id),
    );
  }
}

function isTo(
  reference: { definitionId?: string; definitionVersionId?: string },
  published: LoadedDefinition,
): boolean {
  return reference.definitionId === published.definitionId || reference.definitionVersionId === published.id;
}
