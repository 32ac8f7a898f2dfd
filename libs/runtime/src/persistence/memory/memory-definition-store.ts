import type { WorkflowDefinition } from '@waymark/core';
import type {
  DefinitionChange,
  DefinitionChanges,
  DefinitionFilter,
  DefinitionOrder,
  DefinitionPosition,
  DefinitionStore,
  DefinitionUse,
  DefinitionVersion,
  LoadedDefinition,
} from '../definition-store.js';
import { usedDefinitionIds } from '../definition-references.js';
import type { Page, PagedResult } from '../paging.js';
import { ConcurrencyConflictError, ExclusiveTriggerError } from '../persistence-errors.js';
import type { StoredTrigger } from '../records.js';
import { requireStorableDefinitions, requireStorableMessages } from '../storable-rows.js';
import { matchesDefinition } from './filters.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';
import { addMessages } from './memory-outbox-store.js';
import { compareText, compareTime, type Comparer, window } from './ordering.js';

const COMPARERS: Record<DefinitionOrder['by'], Comparer<LoadedDefinition>> = {
  Name: (left, right) => compareText(left.name ?? '', right.name ?? ''),
  Created: (left, right) => compareTime(left.createdAt, right.createdAt),
  Version: (left, right) => left.version - right.version,
};

export class MemoryDefinitionStore implements DefinitionStore {
  constructor(private readonly data: MemoryData) {}

  async find(filter: DefinitionFilter): Promise<LoadedDefinition | undefined> {
    const [found] = this.matching(filter).sort(
      (left, right) => right.version - left.version || compareText(right.id, left.id),
    );
    return found && isolate(found);
  }

  async findMany(
    filter: DefinitionFilter,
    order?: DefinitionOrder,
    page?: Page,
  ): Promise<PagedResult<LoadedDefinition>> {
    const { items, ...total } = this.page(filter, order, page);
    return { items: isolate(items), ...total };
  }

  async findIds(filter: DefinitionFilter, order?: DefinitionOrder, page?: Page): Promise<PagedResult<string>> {
    const { items, ...total } = this.page(filter, order, page);
    return { items: items.map(({ id }) => id), ...total };
  }

  private page(
    filter: DefinitionFilter,
    order: DefinitionOrder = { by: 'Name', direction: 'Ascending' },
    page: Page | undefined,
  ): PagedResult<LoadedDefinition> {
    const compare = COMPARERS[order.by];
    const sign = order.direction === 'Descending' ? -1 : 1;
    const rows = this.matching(filter);
    rows.sort((left, right) => sign * (compare(left, right) || compareText(left.id, right.id)));
    return window(rows, page);
  }

  async count(filter: DefinitionFilter): Promise<number> {
    return this.matching(filter).length;
  }

  async apply(change: DefinitionChange): Promise<void> {
    requireStorableDefinitions(change);
    requireStorableMessages(change.messages ?? []);
    this.check(change);
    const saved = isolate(change.saved);
    const triggers = isolate(change.addedTriggers).map((trigger) => this.keepDueTime(trigger, change));

    this.name(change);
    for (const id of change.deletedIds) this.data.definitions.delete(id);
    for (const { definition, expectedRevision, firstRevision = 1 } of saved) {
      const revision = expectedRevision === undefined ? firstRevision : expectedRevision + 1;
      this.data.definitions.put({ ...definition, revision });
    }
    for (const id of [...change.deletedIds, ...saved.map(({ definition }) => definition.id)]) this.refer(id);
    for (const id of change.removedTriggerIds) this.data.triggers.delete(id);
    for (const trigger of triggers) this.data.triggers.put(trigger);
    addMessages(this.data, isolate(change.messages ?? []));
  }

  async changeCounter(): Promise<number> {
    return this.data.definitionChanges;
  }

  async findVersions(filter: DefinitionFilter): Promise<DefinitionVersion[]> {
    const rows = this.matching(filter);
    rows.sort((left, right) => compareText(left.definitionId, right.definitionId) || left.version - right.version);
    return rows.map(toVersion);
  }

  async findConsumers(definitionId: string): Promise<DefinitionVersion[]> {
    return this.consumersOf(definitionId).map(toVersion);
  }

  async findUses(definitionIds: readonly string[]): Promise<DefinitionUse[]> {
    return [...new Set(definitionIds)].flatMap((usedDefinitionId) =>
      this.consumersOf(usedDefinitionId).map(({ definitionId }) => ({ usedDefinitionId, definitionId })),
    );
  }

  async findChanges(since: DefinitionPosition | undefined): Promise<DefinitionChanges> {
    const position = { counter: this.data.definitionChanges, unnamed: 0 };
    if (!since || since.counter > position.counter) return { position, definitionIds: undefined };
    const changed = [...this.data.lastDefinitionChanges].filter(([, change]) => change > since.counter);
    return { position, definitionIds: changed.map(([definitionId]) => definitionId) };
  }

  /** Counts the change and notes what it is of, before rows that say so are gone. */
  private name({ saved, deletedIds, addedTriggers, removedTriggerIds }: DefinitionChange): void {
    const { definitions, triggers, lastDefinitionChanges } = this.data;
    const changed = [
      ...saved.map(({ definition }) => definition.definitionId),
      ...deletedIds.map((id) => definitions.get(id)?.definitionId),
      ...addedTriggers.map((trigger) => trigger.workflowDefinitionId),
      ...removedTriggerIds.map((id) => triggers.get(id)?.workflowDefinitionId),
    ];
    this.data.definitionChanges++;
    for (const id of changed) if (id !== undefined) lastDefinitionChanges.set(id, this.data.definitionChanges);
  }

  /** What that version uses, if it is the latest one and there. */
  private refer(versionId: string): void {
    const { definitions, definitionReferences } = this.data;
    for (const { id } of [...definitionReferences.find('version', versionId)]) definitionReferences.delete(id);
    const row = definitions.get(versionId);
    if (!row?.isLatest) return;
    for (const usedDefinitionId of usedDefinitionIds(row))
      definitionReferences.put({ id: `${versionId} ${usedDefinitionId}`, versionId, usedDefinitionId });
  }

  private consumersOf(definitionId: string): LoadedDefinition[] {
    const references = [...this.data.definitionReferences.find('used', definitionId)];
    const rows = references.flatMap(({ versionId }) => this.data.definitions.get(versionId) ?? []);
    return rows.sort((left, right) => COMPARERS.Name(left, right) || compareText(left.id, right.id));
  }

  private matching(filter: DefinitionFilter): LoadedDefinition[] {
    return [...this.candidates(filter)].filter((row) => matchesDefinition(filter, row));
  }

  /** By an index, if the filter names anything that has one. */
  private candidates({ id, ids, definitionId, definitionIds }: DefinitionFilter): Iterable<LoadedDefinition> {
    const { definitions } = this.data;
    const wanted = id === undefined ? ids : [id];
    if (wanted) return [...new Set(wanted)].flatMap((one) => definitions.get(one) ?? []);
    const of = definitionId === undefined ? definitionIds : [definitionId];
    if (of) return [...new Set(of)].flatMap((one) => [...definitions.find('definitionId', one)]);
    return definitions.values();
  }

  private check(change: DefinitionChange): void {
    const deleted = new Set(change.deletedIds);
    for (const { definition, expectedRevision } of change.saved) {
      const stored = deleted.has(definition.id) ? undefined : this.data.definitions.get(definition.id);
      if (stored?.revision !== expectedRevision || this.isVersionTaken(definition, deleted)) {
        throw new ConcurrencyConflictError('definition', definition.id);
      }
    }
    for (const { id, revision } of change.deletedAs ?? [])
      if (this.data.definitions.get(id)?.revision !== revision) throw new ConcurrencyConflictError('definition', id);
    for (const definitionId of change.emptied ?? [])
      for (const { id } of this.data.definitions.find('definitionId', definitionId))
        if (!deleted.has(id)) throw new ConcurrencyConflictError('definition', id);
    for (const { id, dueAt } of change.unfired ?? [])
      if (this.data.triggers.get(id)?.dueAt?.getTime() !== dueAt.getTime())
        throw new ConcurrencyConflictError('trigger', id);
    const replaced = new Set([...change.removedTriggerIds, ...change.addedTriggers.map((trigger) => trigger.id)]);
    const holders = new Map<string, string>();
    for (const { exclusiveKey, workflowDefinitionId } of change.addedTriggers) {
      if (exclusiveKey === undefined) continue;
      const stored = [...this.data.triggers.find('exclusiveKey', exclusiveKey)].findLast(({ id }) => !replaced.has(id));
      const holder = holders.get(exclusiveKey) ?? stored?.workflowDefinitionId ?? workflowDefinitionId;
      if (holder !== workflowDefinitionId) throw new ExclusiveTriggerError(exclusiveKey, workflowDefinitionId, holder);
      holders.set(exclusiveKey, workflowDefinitionId);
    }
  }

  private isVersionTaken(definition: WorkflowDefinition, deleted: ReadonlySet<string>): boolean {
    return [...this.data.definitions.find('definitionId', definition.definitionId)].some(
      (row) => row.version === definition.version && row.id !== definition.id && !deleted.has(row.id),
    );
  }

  private keepDueTime(trigger: StoredTrigger, change: DefinitionChange): StoredTrigger {
    const stored = change.removedTriggerIds.includes(trigger.id) ? undefined : this.data.triggers.get(trigger.id);
    if (stored?.hash !== trigger.hash) return trigger;
    const { dueAt, paused, lastFiring } = stored;
    return { ...trigger, dueAt, ...(paused && { paused }), ...(lastFiring && { lastFiring }) };
  }
}

const toVersion = (row: LoadedDefinition): DefinitionVersion => ({
  id: row.id,
  definitionId: row.definitionId,
  version: row.version,
  ...(row.name !== undefined && { name: row.name }),
  isLatest: row.isLatest,
  isPublished: row.isPublished,
  isReadonly: row.isReadonly,
  revision: row.revision,
});
