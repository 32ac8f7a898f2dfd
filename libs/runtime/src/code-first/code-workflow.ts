import {
  canonicalJson,
  type Constructor,
  findReferences,
  replaceFunctions,
  titleWords,
  type WorkflowContent,
  WorkflowDefinitionBuilder,
  type WorkflowFunction,
} from '@waymark/core';
import { sha256 } from '../engine/identity.js';
import { NoWorkflowBuilderError } from './code-first-errors.js';
import { functionName } from '../definitions/code-workflows.js';
import { codeWorkflowOptions, type WorkflowBuilder } from './workflow-decorator.js';

/** A workflow class, built. */
export interface CodeWorkflow {
  readonly className: string;
  readonly definitionId: string;
  /** The number in `@Workflow`, if any. */
  readonly declaredVersion: number | undefined;
  /** Functions stand in it as `{ $function: name }`. */
  readonly content: WorkflowContent & { readonly isSystem: boolean };
  readonly functions: ReadonlyMap<string, WorkflowFunction>;
  /** Of the content with the source text of its functions: equal for equal code, on every node. */
  readonly fingerprint: string;
  /** Workflows that it uses as activities, unless it names a version id itself. */
  readonly uses: readonly UsedWorkflow[];
}

export interface UsedWorkflow {
  readonly definitionId: string;
  /** Undefined: the published one. */
  readonly version: number | undefined;
}

/** The workflow that a reference in the content leaves open. */
export function usedWorkflow(reference: ReturnType<typeof findReferences>[number]): UsedWorkflow | undefined {
  const { definitionId, definitionVersionId, version } = reference;
  return definitionId === undefined || definitionVersionId !== undefined ? undefined : { definitionId, version };
}

/** Hex digits of a hash that tell two texts of one function apart. */
const HASH_LENGTH = 16;

/**
 * Has a class describe its workflow. Values that a function takes from around itself are not part of its text: a change
 * of such a value alone is not seen as a change of the workflow.
 * @throws NoWorkflowBuilderError, WorkflowBuildError
 */
export async function buildCodeWorkflow(type: Constructor, instance: Partial<WorkflowBuilder>): Promise<CodeWorkflow> {
  const options = codeWorkflowOptions(type) ?? {};
  const definitionId = options.id ?? type.name;
  const w = new WorkflowDefinitionBuilder(definitionId).name(options.name ?? titleWords(type.name));
  if (options.description !== undefined) w.description(options.description);
  if (typeof instance.build !== 'function') throw new NoWorkflowBuilderError(type.name);
  await instance.build(w);
  const built = w.build();
  const functions = new Map<string, WorkflowFunction>();
  const root = replaceFunctions(built.definition.root, (place) => {
    const run = built.functions.get(place)!;
    const name = functionName(place, sha256(Function.prototype.toString.call(run)).slice(0, HASH_LENGTH));
    functions.set(name, run);
    return { $function: name };
  });
  const content = { ...built.definition, isSystem: options.isSystem ?? false, root };
  return {
    className: type.name,
    definitionId,
    declaredVersion: options.version,
    content,
    functions,
    fingerprint: sha256(canonicalJson(content)),
    uses: findReferences(root).flatMap((reference) => usedWorkflow(reference) ?? []),
  };
}
