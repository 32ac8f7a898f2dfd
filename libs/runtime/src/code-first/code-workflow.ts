import { type Constructor, type WorkflowContent, WorkflowDefinitionBuilder } from '@waymark/core';
import {
  canonicalJson,
  findReferences,
  replaceFunctions,
  titleWords,
  type WorkflowFunction,
} from '@waymark/core/adapter';
import { sha256 } from '../engine/identity.js';
import { NoWorkflowBuilderError } from './code-first-errors.js';
import { functionName } from '../definitions/code-version-facts.js';
import { structureOf } from './code-structure.js';
import { type UsedWorkflow, usedWorkflow } from './used-workflow.js';
import { codeWorkflowOptions, type WorkflowBuilder } from './workflow-decorator.js';

/** A workflow class, built, or a definition file, read. */
export interface CodeWorkflow {
  /** Name of the class, or path of the file. */
  readonly source: string;
  readonly definitionId: string;
  /** The number in `@Workflow`, if any. */
  readonly declaredVersion: number | undefined;
  /** Functions stand in it as `{ $function: name }`. */
  readonly content: WorkflowContent & { readonly isSystem: boolean };
  /** By place. */
  readonly functions: ReadonlyMap<string, WorkflowFunction>;
  /** Of the content without the text of its functions: the same whatever compiled it. Of a file: as the builds before had it. */
  readonly structure: string;
  /** Of the content with that text: for nodes of the build before structures. Of a file: that of its content in this build. */
  readonly fingerprint: string;
  /** Workflows that it uses as activities, unless it names a version id itself. */
  readonly uses: readonly UsedWorkflow[];
  /** Ids of the definitions that are to be stored before it, if they are stored by this node as well. */
  readonly after: readonly string[];
  /** What a file says of its version; undefined for classes. */
  readonly file?: { readonly versionId: string | undefined; readonly version: number | undefined };
}

/** Hex digits of the hash of a function's text. */
const HASH_LENGTH = 16;

export const definitionIdOf = (type: Constructor): string => codeWorkflowOptions(type)?.id ?? type.name;

/**
 * Has a class describe its workflow.
 * @throws NoWorkflowBuilderError, WorkflowBuildError
 */
export async function buildCodeWorkflow(type: Constructor, instance: Partial<WorkflowBuilder>): Promise<CodeWorkflow> {
  const options = codeWorkflowOptions(type) ?? {};
  const definitionId = definitionIdOf(type);
  const w = new WorkflowDefinitionBuilder(definitionId).name(options.name ?? titleWords(type.name));
  if (options.description !== undefined) w.description(options.description);
  if (typeof instance.build !== 'function') throw new NoWorkflowBuilderError(type.name);
  if (instance.inputs) w.inputs(instance.inputs);
  if (instance.outputs) w.outputs(instance.outputs);
  await instance.build(w);
  const built = w.build();
  const functions = new Map<string, WorkflowFunction>();
  const root = replaceFunctions(built.definition.root, (place) => {
    const run = built.functions.get(place)!;
    const name = functionName(place, sha256(Function.prototype.toString.call(run)).slice(0, HASH_LENGTH));
    functions.set(place, run);
    return { $function: name };
  });
  const content = { ...built.definition, isSystem: options.isSystem ?? false, root };
  const uses = findReferences(root).flatMap((reference) => usedWorkflow(reference) ?? []);
  return {
    source: type.name,
    definitionId,
    declaredVersion: options.version,
    content,
    functions,
    structure: structureOf(content),
    fingerprint: sha256(canonicalJson(content)),
    uses,
    after: uses.map((used) => used.definitionId),
  };
}
