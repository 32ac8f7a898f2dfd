import type { DefinitionDraft, DefinitionModel } from './definitions.js';

/** What people change in a definition. The rest is the server's: ids, versions, dates, flags. */
const CONTENT = [
  'name',
  'description',
  'root',
  'variables',
  'inputs',
  'outputs',
  'outcomes',
  'customProperties',
  'options',
] as const;

export type Content = Pick<DefinitionModel, (typeof CONTENT)[number]>;

export const contentOf = (design: DefinitionModel): Content =>
  Object.fromEntries(CONTENT.flatMap((name) => (name in design ? [[name, design[name]]] : []))) as Content;

/** A definition with the content of another one, and without what that does not have. */
export const withContentOf = (design: DefinitionModel, other: DefinitionModel): DefinitionModel => ({
  ...(Object.fromEntries(
    Object.entries(design).filter(([name]) => !(CONTENT as readonly string[]).includes(name)),
  ) as unknown as DefinitionModel),
  ...contentOf(other),
});

/** If true, people would find no difference. The order of members says nothing, node ids follow from the rest. */
export const isSameContent = (a: DefinitionModel, b: DefinitionModel): boolean =>
  a === b || JSON.stringify(sorted(contentOf(a))) === JSON.stringify(sorted(contentOf(b)));

/** If true, a definition is what became of a draft: the server adds members that a draft leaves open. */
export const hasContentOf = (stored: DefinitionModel, draft: DefinitionDraft): boolean =>
  covers(contentOf(stored), contentOf(draft as DefinitionModel));

function covers(stored: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(stored) &&
      stored.length === wanted.length &&
      wanted.every((item, index) => covers(stored[index], item))
    );
  if (typeof wanted !== 'object' || wanted === null || 'rawJSON' in wanted)
    return JSON.stringify(stored ?? null) === JSON.stringify(wanted ?? null);
  const members = (stored ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(wanted).every(([name, member]) => name === 'nodeId' || covers(members[name], member));
}

/** If true, people who are asked about deleting it would find no difference: what was a draft has not been published. */
export const isSameToDelete = (before: DefinitionModel, after: DefinitionModel): boolean =>
  isSameContent(before, after) && !isPublishedSince(before, after);

export const isPublishedSince = (before: DefinitionModel, after: DefinitionModel): boolean =>
  after.isPublished && !before.isPublished;

export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => name !== 'nodeId' && member !== null && member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
