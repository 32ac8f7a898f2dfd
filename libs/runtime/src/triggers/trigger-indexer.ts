import { Injectable } from '@nestjs/common';
import { type WorkflowDefinition, type WorkflowGraph } from '@waymark/core';
import {
  bookmarkHash,
  canonicalJson,
  evaluateTriggers,
  type TriggerEvaluation,
  type TriggerPayload,
} from '@waymark/core/adapter';
import { IWorkflowDefinitionService } from '../services/definition-services.js';
import { DefinitionNotFoundError, requireDefinitionId } from '../services/definition-errors.js';
import { sha256 } from '../engine/identity.js';
import { Breather } from '../event-loop/breather.js';
import { WorkflowEngine } from '../engine/workflow-engine.js';
import { WorkflowEventEmitter } from '../events/workflow-event-emitter.js';
import { WorkflowEvent, WorkflowTriggersIndexed } from '../events/workflow-events.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import type { StoredTrigger } from '../persistence/records.js';
import { repeatOnConflict } from '../persistence/repeat-on-conflict.js';
import { WorkflowPersistence } from '../persistence/workflow-persistence.js';
import { type IndexedTriggers, ITriggerIndexer } from '../services/trigger-services.js';
import { grouped, succeed } from './trigger-succession.js';

/**
 * Rows are compared by what they listen for, not by version or id: a republish that changes nothing keeps the rows with
 * their due times, so that frequent deploys do not starve a long interval. See `succeed` for those that fire at the same times as before.
 */
@Injectable()
export class TriggerIndexer extends ITriggerIndexer {
  constructor(
    private readonly persistence: WorkflowPersistence,
    private readonly definitions: IWorkflowDefinitionService,
    private readonly engine: WorkflowEngine,
    private readonly events: WorkflowEventEmitter,
  ) {
    super();
  }

  async diff(
    definition: WorkflowDefinition,
    published: boolean,
    check?: (graph: WorkflowGraph) => void,
    refused?: (error: unknown) => boolean,
    withoutSecrets?: boolean,
  ): Promise<IndexedTriggers> {
    return this.compare(await this.current(definition), definition, published, check, { refused, withoutSecrets });
  }

  private async current({ definitionId }: WorkflowDefinition): Promise<readonly StoredTrigger[]> {
    return this.persistence.triggers.findMany({ workflowDefinitionIds: [definitionId] });
  }

  private async compare(
    current: readonly StoredTrigger[],
    definition: WorkflowDefinition,
    published: boolean,
    check?: (graph: WorkflowGraph) => void,
    options?: TriggerEvaluation,
  ): Promise<IndexedTriggers> {
    if (!published) return { definitionId: definition.definitionId, added: [], removed: current, unchanged: [] };
    const graph = await this.definitions.compile(definition);
    check?.(graph);
    const payloads = await evaluateTriggers(graph, this.engine.runner, {
      ...options,
      notBefore: latestFiringOf(current),
    });
    const breather = new Breather();
    const left = grouped(current, identityOf);
    const added: StoredTrigger[] = [];
    const unchanged: StoredTrigger[] = [];
    const take = (row: StoredTrigger, activityId: string): boolean => {
      const same = left.get(identityOf({ ...row, activityId }))?.shift();
      if (!same) return false;
      unchanged.push({ ...same, activityId: row.activityId, workflowDefinitionVersionId: definition.id });
      return true;
    };
    const others: (readonly [row: StoredTrigger, names: readonly string[]])[] = [];
    for (const payload of payloads) {
      await breather.taken();
      const [activityId, ...names] = graph.triggerIdsOf(payload.node);
      const row = this.toRow(payload, activityId, definition);
      if (!take(row, activityId)) others.push([row, names]);
    }
    // Only now: a row whose name means another activity as well is that of the one which it means today.
    for (const [row, names] of others) if (!names.some((name) => take(row, name))) added.push(row);
    const removed = [...left.values()].flat();
    return { definitionId: definition.definitionId, ...succeed(added, removed, new Map(others)), unchanged };
  }

  indexTriggers(definitionId: string): Promise<IndexedTriggers> {
    return repeatOnConflict(() => this.index(definitionId));
  }

  private async index(definitionId: string): Promise<IndexedTriggers> {
    requireDefinitionId(definitionId);
    const published = await this.persistence.definitions.find({ definitionId, versionOptions: 'Published' });
    const definition = published ?? (await this.persistence.definitions.find({ definitionId }));
    if (!definition) throw new DefinitionNotFoundError({ definitionId, versionOptions: 'AllVersions' });
    const current = await this.current(definition);
    const indexed = await this.compare(current, definition, published !== undefined);
    if (!isStored(indexed, current)) await this.store(definition, indexed);
    await this.events.emit(WorkflowEvent.TriggersIndexed, new WorkflowTriggersIndexed(indexed));
    return indexed;
  }

  /**
   * Of the revision that they were worked out for, which goes up: a publish, a retraction or another refresh that has read the rows of
   * before fails as well, and reads them again. Otherwise triggers of a version that is retracted by then would come back, and stay.
   */
  private async store({ revision, ...definition }: LoadedDefinition, indexed: IndexedTriggers): Promise<void> {
    const { definitionId, id } = definition;
    const saved = [{ definition, expectedRevision: revision }];
    await this.persistence.definitions.apply({ saved, deletedIds: [], ...triggerChange(indexed) });
    this.definitions.evictVersions([definitionId], [id]);
  }

  private toRow(p: TriggerPayload, activityId: string, definition: WorkflowDefinition): StoredTrigger {
    return {
      id: this.engine.newId(),
      workflowDefinitionId: definition.definitionId,
      workflowDefinitionVersionId: definition.id,
      name: p.name,
      activityId,
      hash: bookmarkHash(sha256, p.name, p.hashInput),
      payload: p.payload,
      dueAt: p.dueAt,
      exclusiveKey: p.exclusiveKey,
    };
  }
}

/**
 * Nothing is written then: a row that is as it should be might be gone by the time it is written, with the version that it is of. And
 * the revision of the definition stays, which clients have read.
 */
function isStored({ added, removed, unchanged }: IndexedTriggers, current: readonly StoredTrigger[]): boolean {
  if (added.length + removed.length > 0) return false;
  const stored = new Map(current.map((row) => [row.id, row]));
  return unchanged.every(({ id, activityId, workflowDefinitionVersionId }) => {
    const row = stored.get(id);
    return row?.activityId === activityId && row.workflowDefinitionVersionId === workflowDefinitionVersionId;
  });
}

/** The part of a definition change that stores the diff. */
export function triggerChange({ added, removed, replaced = [], unchanged }: IndexedTriggers) {
  const gone = [...removed, ...replaced];
  // Whatever takes the place of what: to ask too often costs a repetition, where one has been fired meanwhile.
  const isTimed = added.some(({ dueAt }) => dueAt);
  return {
    // Unchanged rows are written too: they start the new version from now on.
    addedTriggers: [...added, ...unchanged],
    removedTriggerIds: gone.map(({ id }) => id),
    unfired: isTimed ? gone.flatMap(({ id, dueAt }) => (dueAt ? [{ id, dueAt }] : [])) : [],
  };
}

/**
 * When one of them was fired last, by the time of the store. A node whose clock is behind would give what takes their place a time that
 * has been fired already.
 */
function latestFiringOf(rows: readonly StoredTrigger[]): number {
  return rows.reduce((latest, { lastFiring }) => Math.max(latest, lastFiring?.firedAt.getTime() ?? latest), -Infinity);
}

function identityOf(row: StoredTrigger): string {
  return canonicalJson([row.name, row.activityId, row.hash, row.payload ?? null]);
}
