import { ActivityBase, type Constructor } from '@waymark/core';

/** A call of `w.root(…)`, which every workflow in code makes. Minifiers keep names of methods. */
const SETS_ROOT = /\.\s*root\s*\(/;

/**
 * What is missing from a provider that looks like an activity or a workflow and is neither. Without its decorator, it would be passed
 * over in silence: the workflow that it describes would not exist.
 * @param provider an instance whose class lacks the decorator of an activity
 * @param isWorkflow whether a class has `@Workflow`
 * @returns a sentence for the log; `undefined` for every other provider
 */
export function undecoratedClassProblem(
  provider: object,
  isWorkflow: (type: Constructor) => boolean,
): string | undefined {
  const type: unknown = provider.constructor;
  if (typeof type !== 'function') return undefined;
  if (provider instanceof ActivityBase)
    return `Class ${type.name} extends ActivityBase but has no decorator, so it is not an activity. Decorate it with @Activity() or @Trigger(), or remove it from the providers.`;
  if (isWorkflow(type as Constructor)) return undefined;
  const build: unknown = (type.prototype as { build?: unknown } | undefined)?.build;
  // Other providers have a method of that name, too: only what it does tells a workflow from them.
  if (typeof build !== 'function' || !SETS_ROOT.test(Function.prototype.toString.call(build))) return undefined;
  return `Class ${type.name} describes a workflow in build() but has no decorator, so the workflow is not stored. Decorate it with @Workflow().`;
}
