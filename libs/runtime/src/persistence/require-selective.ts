import { InvalidOptionError } from '@waymark/core';
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

/**
 * Refuses conditions that nodes of the build before do not know: they would leave them out, and cancel or delete what a plan does not select.
 * What is named by ids is looked up before a plan is stored.
 * @throws InvalidOptionError (`WM1090`)
 */
export function requireKnownToAll({ ids, nameContains, timestamps }: InstanceFilter): void {
  if (ids) return;
  const refuse = (condition: string, instead: string) =>
    new InvalidOptionError(
      'BulkPlans',
      `filters.${condition}`,
      instead,
      'this condition, which a plan cannot have',
      'argument',
    );
  if (nameContains !== undefined) throw refuse('nameContains', 'names, searchTerm or ids');
  if (timestamps?.some(({ until }) => until))
    throw refuse('timestamps.until', 'two filters, of the times before and after');
}
