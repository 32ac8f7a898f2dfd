import { canonicalJson } from '@waymark/core/adapter';
import { codeVersionOf, type CodeVersion } from '../definitions/code-version-facts.js';
import type { UnreadableDefinition } from '../definitions/readable-definitions.js';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowVersionChangedError } from './code-first-errors.js';
import { structureOf } from './code-structure.js';
import type { CodeWorkflow } from './code-workflow.js';

export type VersionChoice =
  | { readonly kind: 'stored'; readonly definition: LoadedDefinition }
  | { readonly kind: 'new'; readonly version: number };

/**
 * Which version the code, or the file, is. Code whose structure was stored before is that version again, whatever came after it. Anything
 * else is a new version: the number in `@Workflow`, or the next one. Only when a used workflow has a new version and the code
 * is the same, that number is passed over.
 * @param unreadable their numbers are taken
 * @throws WorkflowVersionChangedError the number in `@Workflow` is that of other content
 * @throws StoredValueError, NewerFormatError it is that of a version that cannot be read
 */
export function chooseVersion(
  workflow: Pick<CodeWorkflow, 'definitionId' | 'declaredVersion' | 'structure' | 'fingerprint' | 'file'>,
  uses: CodeVersion['uses'],
  stored: readonly LoadedDefinition[],
  unreadable: readonly UnreadableDefinition[] = [],
): VersionChoice {
  const { definitionId, declaredVersion, fingerprint } = workflow;
  const newestFirst = stored.toSorted((a, b) => b.version - a.version);
  // The number in a file is that of its version unless it is taken, as after an edit by hand.
  const taken = [...stored, ...unreadable.map((one) => one.version)].map(({ version }) => version);
  const next = Math.max(...taken.map((version) => version + 1), workflow.file?.version ?? 1);
  const candidates = newestFirst.filter(
    (d) =>
      declaredVersion === undefined ||
      d.version === declaredVersion ||
      codeVersionOf(d)?.declaredVersion === declaredVersion,
  );
  const same = candidates.filter((d) => isOfStructure(d, workflow));
  const wanted = canonicalJson(uses);
  const usable = same.filter((d) => canonicalJson(codeVersionOf(d)?.uses) === wanted);
  // Several have the same structure where nodes of the build before told them apart by the text of their functions.
  const definition =
    usable.find((d) => d.isPublished) ?? usable.find((d) => codeVersionOf(d)?.fingerprint === fingerprint) ?? usable[0];
  if (definition) return { kind: 'stored', definition };
  if (declaredVersion === undefined || same.length > 0) return { kind: 'new', version: next };
  if (candidates.length > 0) throw new WorkflowVersionChangedError(definitionId, declaredVersion, next);
  const hidden = unreadable.find(({ version }) => version.version === declaredVersion);
  if (hidden) throw hidden.error;
  return { kind: 'new', version: declaredVersion };
}

/** What was stored before there were structures has that of its content. A file, which has no functions, is known by its fingerprint too. */
function isOfStructure(
  definition: LoadedDefinition,
  { structure, fingerprint, file }: Pick<CodeWorkflow, 'structure' | 'fingerprint' | 'file'>,
): boolean {
  const code = codeVersionOf(definition);
  if (code === undefined) return false;
  const stored = code.structure ?? structureOf(definition, code.uses);
  return stored === structure || (file !== undefined && (stored === fingerprint || code.fingerprint === fingerprint));
}
