import { type DefinitionModel, pascalize } from '@waymark/core/adapter';
import { usedDefinitionIds, usesFirst } from '@waymark/runtime/adapter';

/** With the definitions that it uses as activities. */
type WithUses<T> = T & { readonly uses: readonly string[] };

/**
 * Definitions of an upload in an order in which each comes after those of the upload that it uses as activities: one that is stored before
 * them would not be bound to their versions. Otherwise, and in a circle, they keep their order.
 */
export function inOrderOfUse<T extends { readonly model: DefinitionModel }>(uploaded: readonly T[]): WithUses<T>[] {
  const byId = new Map<string, WithUses<T>[]>();
  const byType = idsByType(uploaded);
  const unnamed: WithUses<T>[] = [];
  for (const one of uploaded) {
    const { definitionId = '', root } = one.model;
    const withUses = {
      ...one,
      uses: [...usedDefinitionIds({ definitionId, root }), ...usedByType(root, byType, definitionId)],
    };
    const same = byId.get(definitionId);
    if (!definitionId) unnamed.push(withUses);
    else if (same) same.push(withUses);
    else byId.set(definitionId, [withUses]);
  }
  const uses = new Map([...byId].map(([id, all]) => [id, [...new Set(all.flatMap((one) => one.uses))]]));
  // What has no id yet is used by nothing, and may use all others.
  return [...usesFirst(uses).flatMap((id) => byId.get(id)!), ...unnamed];
}

/** By what they are called as activities: of several with one name, the last. Each activity would depend on all of them otherwise. */
function idsByType(uploaded: readonly { readonly model: DefinitionModel }[]): Map<string, string> {
  const byType = new Map<string, string>();
  for (const { definitionId, name, options } of uploaded.map(({ model }) => model))
    if (definitionId && options.usableAsActivity === true) byType.set(pascalize(name || definitionId), definitionId);
  return byType;
}

/** Of activities that are unknown and name no definition: what is written by hand says the type alone. */
function usedByType(root: unknown, byType: ReadonlyMap<string, string>, own: string): string[] {
  if (byType.size === 0) return [];
  const used = new Set<string>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const { missingTypeName } = value as { missingTypeName?: unknown };
    const id = typeof missingTypeName === 'string' ? byType.get(missingTypeName) : undefined;
    if (id !== undefined) used.add(id);
    for (const member of Object.values(value)) if (typeof member === 'object') open.push(member);
  }
  used.delete(own);
  return [...used];
}
