import { Injectable } from '@nestjs/common';
import { isWaymarkError } from '@waymark/core';
import { findReferences, pascalize, replaceReferences } from '@waymark/core/adapter';
import { WorkflowLogger } from '../logging/workflow-logger.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import type { DefinitionDraft } from '../services/definition-services.js';

/** Each of them costs a query. Elsa's graph of references ends there as well. */
const MAX_CONSUMERS = 1000;

/** Of one consumer that people save again and again. */
const MAX_ATTEMPTS = 10;

/** @param made of this version @throws DefinitionChangedError (`WM7043`) when another one is the latest meanwhile */
type Save = (draft: DefinitionDraft, made: LoadedDefinition) => Promise<LoadedDefinition | undefined>;

/** Finds and updates the workflows that use another one as an activity. */
@Injectable()
export class ConsumerUpdater {
  private readonly logger = new WorkflowLogger('Workflow');

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
      const saved = consumer?.isLatest ? await this.moveAlong(consumer, published, save) : undefined;
      if (saved) changed.push(saved);
    }
    return changed;
  }

  /** What a person saves of the consumer meanwhile stays, and is moved along instead: a save of what was read would undo it. */
  private async moveAlong(
    read: LoadedDefinition,
    published: LoadedDefinition,
    save: Save,
  ): Promise<LoadedDefinition | undefined> {
    const target = {
      definitionVersionId: published.id,
      version: published.version,
      type: pascalize(published.name ?? published.definitionId),
    };
    const { definitionId } = read;
    let consumer: LoadedDefinition | undefined = read;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (!consumer || consumer.isReadonly || !this.isOutdated(consumer, published)) return undefined;
      const root = replaceReferences(consumer.root, (r) => (isTo(r, published) ? target : undefined));
      try {
        return await save({ ...consumer, root }, consumer);
      } catch (error) {
        if (!isWaymarkError(error, 'WM7043')) throw error;
        consumer = await this.persistence.definitions.find({ definitionId, versionOptions: 'Latest' });
      }
    }
    // The publish that this follows has been stored: it does not fail because of another definition.
    this.logger.warn(
      `Workflow '${definitionId}' still uses an earlier version of '${published.definitionId}': it was saved each time before it could be updated. ` +
        `Update it with POST workflow-definitions/${encodeURIComponent(published.definitionId)}/update-references.`,
    );
    return undefined;
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
