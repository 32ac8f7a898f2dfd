import { canonicalJson, replaceFunctions, replaceReferences } from '@waymark/core/adapter';
import { sha256 } from '../engine/identity.js';
import { CODE_PROPERTY, placeOf } from '../definitions/code-version-facts.js';
import type { CodeWorkflow } from './code-workflow.js';
import { keyOf, usedWorkflow } from './used-workflow.js';

/** Says how structures are worked out: another way gets another name, and nodes compare those of one name only. */
const FORM = 's1';

type Content = Omit<CodeWorkflow['content'], 'definitionId' | 'name' | 'description'>;

/**
 * Fingerprint of what a workflow does, built or stored: activities, ids, connections, constants, declarations, and the places
 * of functions. Names for people are left out: that of a class without a stated name is what a minifier makes of it.
 */
export function structureOf(content: Content, uses: Readonly<Record<string, string>> = {}): string {
  const { variables, inputs, outputs, outcomes, options, isSystem } = content;
  const { [CODE_PROPERTY]: _, ...customProperties } = content.customProperties;
  const root = replaceFunctions(asWritten(content.root, uses), (name) => ({ $function: placeOf(name) }));
  const structure = { variables, inputs, outputs, outcomes, options, isSystem, customProperties, root };
  // What a store has read back has no members that are undefined.
  return `${FORM}:${sha256(canonicalJson(JSON.parse(JSON.stringify(structure))))}`;
}

/** References as the class has them: when it is stored, they are given the version that the used workflow has then. */
function asWritten(root: Content['root'], uses: Readonly<Record<string, string>>): Content['root'] {
  const keys = new Map(Object.entries(uses).map(([key, versionId]) => [versionId, key]));
  return replaceReferences(root, (reference) => {
    const open = usedWorkflow(reference);
    const key = open ? keyOf(open) : keys.get(reference.definitionVersionId ?? '');
    return key === undefined ? undefined : { definitionVersionId: '', version: 0, type: key };
  });
}
