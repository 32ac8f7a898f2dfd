import { Injectable } from '@nestjs/common';
import {
  replaceFunctions,
  WorkflowExecutionError,
  type WorkflowDefinition,
  type WorkflowFunction,
} from '@waymark/core';

/** Materializer of definitions that come from code. */
export const CODE_MATERIALIZER = 'CLR';

/**
 * Functions of workflows written in TypeScript. Stored definitions name a function by its place and a hash of its source
 * text (`ask.requestId#9F86D081884C7D65`), so an instance of an older version goes on with every function that is still
 * the same, and is stopped only by one that is not. Holds no definitions: what a version is, its row says.
 */
@Injectable()
export class CodeWorkflows {
  /** By definition id, then by name. */
  private readonly functions = new Map<string, Map<string, WorkflowFunction>>();

  /** Adds functions of a workflow; several versions of it may be loaded. */
  register(definitionId: string, functions: ReadonlyMap<string, WorkflowFunction>): void {
    const known = this.functions.get(definitionId) ?? new Map<string, WorkflowFunction>();
    for (const [name, run] of functions) known.set(name, run);
    this.functions.set(definitionId, known);
  }

  /**
   * The definition with its functions in place; the same object when it does not come from code. A function that is not
   * loaded faults the activity that needs it (WM2012): the instance stays as it was before, to be retried.
   */
  withFunctions(definition: WorkflowDefinition): WorkflowDefinition {
    if (definition.materializerName !== CODE_MATERIALIZER) return definition;
    const known = this.functions.get(definition.definitionId);
    const root = replaceFunctions(definition.root, (name) => known?.get(name) ?? notLoaded(definition, name));
    return { ...definition, root };
  }

  /** Functions of the definition that are not loaded, by their places. */
  missing(definition: WorkflowDefinition): string[] {
    if (definition.materializerName !== CODE_MATERIALIZER) return [];
    const known = this.functions.get(definition.definitionId);
    const missing: string[] = [];
    replaceFunctions(definition.root, (name) => {
      if (!known?.has(name)) missing.push(placeOf(name));
    });
    return missing;
  }
}

/** Name of a function in stored definitions. @param hash of its source text */
export const functionName = (place: string, hash: string): string => `${place}#${hash}`;

const placeOf = (name: string): string => name.slice(0, name.lastIndexOf('#'));

function notLoaded({ definitionId, version }: WorkflowDefinition, name: string): WorkflowFunction {
  return () => {
    throw new WorkflowExecutionError(
      'WM2012',
      `The function '${placeOf(name)}' of version ${version} of workflow '${definitionId}' is not loaded: the code was changed or removed. ` +
        'Deploy that version beside the new one (a class with the same id and its version in @Workflow()), or migrate the instance to a newer version; then retry the activity.',
    );
  };
}
