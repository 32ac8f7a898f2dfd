import { Inject, Injectable, Optional } from '@nestjs/common';
import { WorkflowExecutionError, type WorkflowDefinition, type WorkflowGraph } from '@waymark/core';
import {
  type ActivityRegistry,
  CODE_MATERIALIZER,
  descriptorsOf,
  replaceFunctions,
  walkActivities,
  type WorkflowFunction,
} from '@waymark/core/adapter';
import { RUNTIME_OPTIONS, type ResolvedRuntimeOptions } from '../options/runtime-options.js';
import { WorkflowCodeMissingError } from '../services/definition-errors.js';
import { codeVersionOf, isOfLaterDeployment, placeOf } from './code-version-facts.js';
import { fits, type FunctionContent, functionPlaces, type FunctionPlaces } from './function-places.js';

export { CODE_MATERIALIZER };

/** A workflow class of this process, as far as stored versions need it. */
export interface LoadedCode {
  /** The number in `@Workflow`, if any. */
  readonly declaredVersion: number | undefined;
  readonly content: FunctionContent;
  /** By place. */
  readonly functions: ReadonlyMap<string, WorkflowFunction>;
}

interface Entry extends LoadedCode {
  readonly places: FunctionPlaces;
  /** The version that it is in the store. */
  versionId: string | undefined;
}

/**
 * Functions of workflows written in TypeScript. A stored definition names a function by its place, so an instance continues
 * with the code of its version, or with code of another structure as far as its steps fit (decision 33). Holds no
 * definitions: what a version is, its row says.
 */
@Injectable()
export class CodeWorkflows {
  /** By definition id. */
  private readonly loaded = new Map<string, Entry[]>();
  /** Graphs that this process cannot run, and what they lack. */
  private readonly incomplete = new WeakMap<WorkflowGraph, readonly string[]>();
  private anyIncomplete = false;

  constructor(
    @Optional()
    @Inject(RUNTIME_OPTIONS)
    private readonly options: Pick<ResolvedRuntimeOptions, 'deployment'> = { deployment: undefined },
  ) {}

  /** Adds a workflow; several versions of it may be loaded. */
  register(definitionId: string, code: LoadedCode): void {
    const entry = { ...code, places: functionPlaces(code.content), versionId: undefined };
    this.loaded.set(definitionId, [...(this.loaded.get(definitionId) ?? []), entry]);
  }

  /** Says which stored version a registered workflow is. */
  bind(definitionId: string, declaredVersion: number | undefined, versionId: string): void {
    const entry = this.loaded.get(definitionId)?.find((e) => e.declaredVersion === declaredVersion);
    if (entry) entry.versionId = versionId;
  }

  /** Version ids of the classes of this process, highest stated version first. */
  versionsOf(definitionId: string): string[] {
    const entries = this.loaded.get(definitionId) ?? [];
    return entries
      .toSorted((a, b) => (b.declaredVersion ?? 0) - (a.declaredVersion ?? 0))
      .flatMap(({ versionId }) => versionId ?? []);
  }

  /** The definition with its functions in place; the same object when it does not come from code. */
  withFunctions(definition: WorkflowDefinition): WorkflowDefinition {
    if (definition.materializerName !== CODE_MATERIALIZER) return definition;
    const find = this.finderFor(definition);
    const root = replaceFunctions(
      definition.root,
      (name) => find(placeOf(name)) ?? notLoaded(definition, placeOf(name)),
    );
    return { ...definition, root };
  }

  /** Places of the definition whose functions this process does not have. */
  missing(definition: WorkflowDefinition): string[] {
    if (definition.materializerName !== CODE_MATERIALIZER) return [];
    const find = this.finderFor(definition);
    const missing: string[] = [];
    replaceFunctions(definition.root, (name) => {
      if (!find(placeOf(name))) missing.push(placeOf(name));
    });
    return missing;
  }

  /**
   * Returns activity types and functions that the definition needs and only other processes have. A type in a JSON definition counts if a
   * later deployment has published the definition. Types of an earlier deployment were removed, and types that were unknown at publishing
   * are placeholders: both fault when they are reached.
   */
  lacking(definition: WorkflowDefinition, registry: ActivityRegistry): string[] {
    const isCode = definition.materializerName === CODE_MATERIALIZER;
    if (!isCode && !isOfLaterDeployment(definition, this.options.deployment)) return [];
    return [...this.missing(definition), ...unknownTypes(definition, registry)];
  }

  /** Notes that a graph lacks something, so that it is not run. */
  noteIncomplete(graph: WorkflowGraph, lacking: readonly string[]): void {
    this.anyIncomplete = true;
    this.incomplete.set(graph, lacking);
  }

  /** Refuses a version whose functions are not all here. @throws WorkflowCodeMissingError another node may have what this process lacks */
  requireComplete(graph: WorkflowGraph): void {
    const lacking = this.anyIncomplete && this.incomplete.get(graph);
    if (lacking) throw new WorkflowCodeMissingError(graph.definition, lacking);
  }

  private finderFor(definition: WorkflowDefinition): (place: string) => WorkflowFunction | undefined {
    const entries = this.loaded.get(definition.definitionId) ?? [];
    const same = entries.find(({ versionId }) => versionId === definition.id);
    if (same) return (place) => same.functions.get(place);
    // Who states a version wants the functions of that version, and no others.
    const wanted = codeVersionOf(definition)?.declaredVersion;
    const candidates = entries.filter(({ declaredVersion }) => wanted === undefined || declaredVersion === wanted);
    if (candidates.length === 0) return () => undefined;
    const places = functionPlaces(definition);
    return (place) => candidates.find((entry) => fits(place, entry.places, places))?.functions.get(place);
  }
}

/** What stands for another workflow is found by its definition. */
function unknownTypes({ root }: WorkflowDefinition, registry: ActivityRegistry): Set<string> {
  const unknown = new Set<string>();
  walkActivities(root, descriptorsOf(registry), ({ node, descriptor }) => {
    if (!descriptor && typeof node.workflowDefinitionId !== 'string') unknown.add(node.type);
  });
  return unknown;
}

/** What is missing is found before a burst begins (WM2040). This one is for graphs that are run by other means. */
function notLoaded({ definitionId, version }: WorkflowDefinition, place: string): WorkflowFunction {
  return () => {
    throw new WorkflowExecutionError(
      'WM2012',
      `The function '${place}' of version ${version} of workflow '${definitionId}' is not loaded: the code was changed or removed. ` +
        'Deploy that version beside the new one (a class with the same id and its version in @Workflow()), or migrate the instance to a newer version; then retry the activity.',
    );
  };
}
