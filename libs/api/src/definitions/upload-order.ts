import type { DefinitionModel } from '@waymark/core/adapter';
import { usedDefinitionIds, usesFirst } from '@waymark/runtime/adapter';

/** With the definitions that it uses as activities. */
type WithUses<T> = T & { readonly uses: readonly string[] };

/**
 * Definitions of an upload in an order in which each comes after those of the upload that it uses as activities: one that is stored before
 * them would not be bound to their versions. Otherwise, and in a circle, they keep their order.
 */
export function inOrderOfUse<T extends { readonly model: DefinitionModel }>(uploaded: readonly T[]): WithUses<T>[] {
  const byId = new Map<string, WithUses<T>[]>();
  const unnamed: WithUses<T>[] = [];
  for (const one of uploaded) {
    const { definitionId = '', root } = one.model;
    const withUses = { ...one, uses: usedDefinitionIds({ definitionId, root }) };
    const same = byId.get(definitionId);
    if (!definitionId) unnamed.push(withUses);
    else if (same) same.push(withUses);
    else byId.set(definitionId, [withUses]);
  }
  const uses = new Map([...byId].map(([id, all]) => [id, [...new Set(all.flatMap((one) => one.uses))]]));
  // What has no id yet is used by nothing, and may use all others.
  return [...usesFirst(uses).flatMap((id) => byId.get(id)!), ...unnamed];
}
