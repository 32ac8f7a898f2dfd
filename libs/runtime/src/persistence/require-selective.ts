import type { InstanceFilter } from './instance-store.js';
import { requireCondition } from './persistence-errors.js';

/**
 * Refuses a filter of instances that selects all of them, as that of a request which lacks the member that it was made of. A list of
 * exceptions or of times that is empty, and a text that is, select all as well.
 * @throws EmptyFilterError (`WM7008`)
 */
export function requireSelective(filter: InstanceFilter): void {
  const { exceptDefinitionIds, timestamps, searchTerm, nameContains, ...conditions } = filter;
  requireCondition('workflow instance', {
    ...conditions,
    exceptDefinitionIds: exceptDefinitionIds?.length ? exceptDefinitionIds : undefined,
    timestamps: timestamps?.length ? timestamps : undefined,
    searchTerm: searchTerm || undefined,
    nameContains: nameContains || undefined,
  });
}
