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

/**
 * Rows are compared by what they listen for, not by version or id: a republish that changes nothing keeps the rows with
 * their due times, so that frequent deploys do not starve a long interval.
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
    // There may be thousands of both: those of one activity are looked at only.
    const before = grouped(removed, placeOf);
    // An activity with another id and other properties is known by its time, if one row alone had it and one has it now.
    const [onceBefore, onceNow] = [removed, added].map((rows) => grouped(rows, (row) => onceAt(row) ?? ''));
    const namesOf = new Map(others);
    const followed = (row: StoredTrigger): StoredTrigger => {
      const names = [row.activityId, ...(namesOf.get(row) ?? [])];
      const replaced = names.map((activityId) => before.get(placeOf({ ...row, activityId }))).find(Boolean) ?? [];
      const time = onceAt(row) ?? '';
      const isMoved = replaced.length === 0 && time !== '' && onceNow!.get(time)?.length === 1;
      const ofItsTime = onceBefore!.get(time) ?? [];
      return staysPaused(staysOver(row, isMoved && ofItsTime.length === 1 ? ofItsTime : replaced), replaced);
    };
    return { definitionId: definition.definitionId, added: added.map(followed), removed, unchanged };
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
export function triggerChange({ added, removed, unchanged }: IndexedTriggers) {
  // Whatever takes the place of what: to ask too often costs a repetition, where one has been fired meanwhile.
  const isTimed = added.some(({ dueAt }) => dueAt);
  return {
    // Unchanged rows are written too: they start the new version from now on.
    addedTriggers: [...added, ...unchanged],
    removedTriggerIds: removed.map(({ id }) => id),
    unfired: isTimed ? removed.flatMap(({ id, dueAt }) => (dueAt ? [{ id, dueAt }] : [])) : [],
  };
}

/**
 * When one of them was fired last, by the time of the store. A node whose clock is behind would give what takes their place a time that
 * has been fired already.
 */
function latestFiringOf(rows: readonly StoredTrigger[]): number {
  return rows.reduce((latest, { lastFiring }) => Math.max(latest, lastFiring?.firedAt.getTime() ?? latest), -Infinity);
}

/** In their order. */
function grouped(rows: readonly StoredTrigger[], keyOf: (row: StoredTrigger) => string): Map<string, StoredTrigger[]> {
  const groups = new Map<string, StoredTrigger[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Equal for rows of which one may take the place of the other. */
const placeOf = ({ name, activityId }: StoredTrigger): string => JSON.stringify([name, activityId]);

/**
 * One that fires once, in the place of one that has for the same time: it was published with other properties, or by a version that
 * did not store them. To fire again, it needs another time.
 * @param replaced rows of the same place that are removed
 */
function staysOver(row: StoredTrigger, replaced: readonly StoredTrigger[]): StoredTrigger {
  const time = onceAt(row);
  if (time === undefined || !row.dueAt) return row;
  const before = replaced.find((each) => (each.unreadable ? hasFiredFor(each, row) : onceAt(each) === time));
  return before?.dueAt === null && !before.paused ? { ...row, dueAt: null } : row;
}

/** Of a row that was damaged: its time cannot be read, but when it was fired for the last time: never before it was due. */
function hasFiredFor({ lastFiring }: StoredTrigger, { payload, dueAt }: StoredTrigger): boolean {
  const { executeAt } = payload as { readonly executeAt?: unknown };
  // Without the jitter, which may have been another one.
  const time = executeAt instanceof Date ? executeAt : dueAt!;
  return lastFiring !== undefined && time <= lastFiring.dueAt;
}

/** The time of a trigger that has one only: payloads name it `executeAt`, as in Elsa. */
function onceAt({ payload }: StoredTrigger): string | undefined {
  const { executeAt } = (payload ?? {}) as { executeAt?: unknown };
  return executeAt === undefined || executeAt === null ? undefined : canonicalJson(executeAt);
}

/** One that takes the place of a paused one is paused as well: its new times would have come as a surprise. */
function staysPaused(row: StoredTrigger, replaced: readonly StoredTrigger[]): StoredTrigger {
  const { dueAt } = row;
  const before = replaced.find(({ paused }) => paused);
  if (!before?.paused || !dueAt) return row;
  return { ...row, dueAt: null, paused: { at: before.paused.at, dueAt } };
}

function identityOf(row: StoredTrigger): string {
  return canonicalJson([row.name, row.activityId, row.hash, row.payload ?? null]);
}
