import type { DefinitionModel } from './definitions.js';

/** Of each definition that the server has answered, its tag: a member of the definition would be saved with it. */
const tags = new WeakMap<DefinitionModel, string>();

/** A version and its revision. Servers of the version before, Express and proxies name the content of an answer: no save is made of that. */
const OF_REVISION = /^(?:W\/)?"[^".]+\.\d+/;

/** Notes the tag of an answer with a definition. */
export function tagged(design: DefinitionModel, { headers }: Pick<Response, 'headers'>): DefinitionModel {
  const tag = headers.get('etag');
  if (tag !== null && OF_REVISION.test(tag)) tags.set(design, tag);
  return design;
}

/** Headers of a save that is to replace nothing. A server of the version before does not look at it. */
export const ONLY_NEW: Readonly<Record<string, string>> = { 'if-none-match': '*' };

/** Headers of a save that is to replace this definition only. Without a tag it saves over whatever is there. */
export function onlyOver(design: DefinitionModel): Record<string, string> | undefined {
  const tag = tags.get(design);
  return tag === undefined ? undefined : { 'if-match': tag };
}
