import type { VersionOptions } from '@waymark/core';

/**
 * Identifies a version of a workflow: a definition id (its published version), a definition id with version options, or a
 * version id.
 */
export type WorkflowDefinitionHandle =
  | string
  | { readonly definitionId: string; readonly versionOptions?: VersionOptions }
  | { readonly definitionVersionId: string };

/** The id of the version that a handle names; undefined where it names a definition, or nothing at all. */
export function versionIdOf(handle: WorkflowDefinitionHandle): string | undefined {
  if (typeof handle === 'string') return undefined;
  // Callers may hand on what a request lacks.
  const { definitionVersionId } = (handle ?? {}) as { readonly definitionVersionId?: unknown };
  return typeof definitionVersionId === 'string' ? definitionVersionId : undefined;
}

/** The id of the definition that a handle names; undefined where it names a version, or nothing at all. */
export function definitionIdOf(handle: WorkflowDefinitionHandle): string | undefined {
  if (typeof handle === 'string') return handle;
  if (versionIdOf(handle) !== undefined) return undefined;
  const { definitionId } = (handle ?? {}) as { readonly definitionId?: unknown };
  return typeof definitionId === 'string' ? definitionId : undefined;
}
