import { Injectable } from '@nestjs/common';
import type { WorkflowDefinition } from '@waymark/core';

/** A function of a workflow in code stands in its stored JSON as a reference to this table. */
export interface FunctionReference {
  readonly $function: string;
}

/**
 * Functions of workflows written in TypeScript. Stored definitions hold references by version id and position; the code of
 * that version must be loaded to run them.
 */
@Injectable()
export class CodeWorkflows {
  private readonly functions = new Map<string, ReadonlyMap<string, (...args: never[]) => unknown>>();

  register(versionId: string, functions: ReadonlyMap<string, (...args: never[]) => unknown>): void {
    this.functions.set(versionId, functions);
  }

  /** The definition with references replaced by the functions themselves; the same object when it has none. */
  withFunctions(definition: WorkflowDefinition): WorkflowDefinition {
    const table = this.functions.get(definition.id);
    if (!table?.size) return definition;
    const replace = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(replace);
      const reference = (value as Partial<FunctionReference>).$function;
      if (typeof reference === 'string' && Object.keys(value).length === 1) return table.get(reference) ?? value;
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, replace(member)]));
    };
    return { ...definition, root: replace(definition.root) as WorkflowDefinition['root'] };
  }
}
