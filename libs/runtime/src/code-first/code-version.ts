import { canonicalJson, type WorkflowDefinition } from '@waymark/core';
import type { LoadedDefinition } from '../persistence/definition-store.js';
import { WorkflowVersionChangedError } from './code-first-errors.js';
import type { CodeWorkflow } from './code-workflow.js';

/** Custom property of a stored definition that comes from code: a `CodeVersion`. */
export const CODE_PROPERTY = 'Waymark:Code';

/** What a stored version was made from. */
export interface CodeVersion {
  readonly fingerprint: string;
  readonly declaredVersion?: number;
  /** Version ids of the workflows used as activities, which are fixed when the version is stored. */
  readonly uses: Readonly<Record<string, string>>;
}

export type VersionChoice =
  | { readonly kind: 'stored'; readonly definition: LoadedDefinition }
  | { readonly kind: 'new'; readonly version: number };

/**
 * Which version the code is. Code that was stored before is that version again, whatever came after it: the code that was
 * started last is what is published, so taking a deployment back takes the workflow back. Anything else is a new version:
 * the number in `@Workflow`, or the next one. Only when a used workflow has a new version and the code is the same,
 * that number is passed over.
 * @throws WorkflowVersionChangedError the number in `@Workflow` is that of other content
 */
export function chooseVersion(
  workflow: Pick<CodeWorkflow, 'definitionId' | 'declaredVersion' | 'fingerprint'>,
  uses: CodeVersion['uses'],
  stored: readonly LoadedDefinition[],
): VersionChoice {
  const { definitionId, declaredVersion, fingerprint } = workflow;
  const newestFirst = stored.toSorted((a, b) => b.version - a.version);
  const next = (newestFirst[0]?.version ?? 0) + 1;
  const candidates = newestFirst.filter(
    (d) =>
      declaredVersion === undefined ||
      d.version === declaredVersion ||
      codeVersionOf(d)?.declaredVersion === declaredVersion,
  );
  const same = candidates.filter((d) => codeVersionOf(d)?.fingerprint === fingerprint);
  const wanted = canonicalJson(uses);
  const definition = same.find((d) => canonicalJson(codeVersionOf(d)?.uses) === wanted);
  if (definition) return { kind: 'stored', definition };
  if (declaredVersion === undefined || same.length > 0) return { kind: 'new', version: next };
  if (candidates.length > 0) throw new WorkflowVersionChangedError(definitionId, declaredVersion, next);
  return { kind: 'new', version: declaredVersion };
}

export function codeVersionOf({ customProperties }: WorkflowDefinition): CodeVersion | undefined {
  return customProperties[CODE_PROPERTY] as CodeVersion | undefined;
}
