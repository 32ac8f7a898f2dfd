import type { WorkflowDefinition } from '@waymark/core';
import type {
  DefinitionChange,
  DefinitionFilter,
  DefinitionOrder,
  DefinitionStore,
  LoadedDefinition,
} from '../definition-store.js';
import type { Page, PagedResult } from '../paging.js';
import { ConcurrencyConflictError, ExclusiveTriggerError } from '../persistence-errors.js';
import type { StoredTrigger } from '../records.js';
import { requireStorableDefinitions } from '../storable-rows.js';
import { matchesDefinition } from './filters.js';
import { isolate } from './isolate.js';
import type { MemoryData } from './memory-data.js';
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
      (left, right) => right.version - left.version || compareText(left.id, right.id),
    );
    return found && isolate(found);
  }

  async findMany(
    filter: DefinitionFilter,
    order: DefinitionOrder = { by: 'Name', direction: 'Ascending' },
    page?: Page,
  ): Promise<PagedResult<LoadedDefinition>> {
    const compare = COMPARERS[order.by];
    const sign = order.direction === 'Descending' ? -1 : 1;
    const rows = this.matching(filter);
    rows.sort((left, right) => sign * (compare(left, right) || compareText(left.id, right.id)));
    const { items, totalCount } = window(rows, page);
    return { items: isolate(items), totalCount };
  }

  async count(filter: DefinitionFilter): Promise<number> {
    return this.matching(filter).length;
  }

  async apply(change: DefinitionChange): Promise<void> {
    requireStorableDefinitions(change);
    this.check(change);
    const saved = isolate(change.saved);
    const triggers = isolate(change.addedTriggers).map((trigger) => this.keepDueTime(trigger, change));

    for (const id of change.deletedIds) this.data.definitions.delete(id);
    for (const { definition, expectedRevision } of saved) {
      this.data.definitions.put({ ...definition, revision: (expectedRevision ?? 0) + 1 });
    }
    for (const id of change.removedTriggerIds) this.data.triggers.delete(id);
    for (const trigger of triggers) this.data.triggers.put(trigger);
    this.data.definitionChanges++;
  }

  async changeCounter(): Promise<number> {
    return this.data.definitionChanges;
  }

  private matching(filter: DefinitionFilter): LoadedDefinition[] {
    const rows =
      filter.definitionId === undefined
        ? this.data.definitions.values()
        : this.data.definitions.find('definitionId', filter.definitionId);
    return [...rows].filter((row) => matchesDefinition(filter, row));
  }

  private check(change: DefinitionChange): void {
    const deleted = new Set(change.deletedIds);
    for (const { definition, expectedRevision } of change.saved) {
      const stored = deleted.has(definition.id) ? undefined : this.data.definitions.get(definition.id);
      if (stored?.revision !== expectedRevision || this.isVersionTaken(definition, deleted)) {
        throw new ConcurrencyConflictError('definition', definition.id);
      }
    }
    const replaced = new Set([...change.removedTriggerIds, ...change.addedTriggers.map((trigger) => trigger.id)]);
    const remaining = [...this.data.triggers.values()].filter((trigger) => !replaced.has(trigger.id));
    const holders = new Map(remaining.map((trigger) => [trigger.exclusiveKey, trigger.workflowDefinitionId]));
    for (const { exclusiveKey, workflowDefinitionId } of change.addedTriggers) {
      if (exclusiveKey === undefined) continue;
      const holder = holders.get(exclusiveKey) ?? workflowDefinitionId;
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
    return stored?.hash === trigger.hash ? { ...trigger, dueAt: stored.dueAt } : trigger;
  }
}
