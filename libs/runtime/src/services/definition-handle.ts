import type { VersionOptions } from '@waymark/core';

/**
 * Identifies a version of a workflow: a definition id (its published version), a definition id with version options, or a
 * version id.
 */
export type WorkflowDefinitionHandle =
  | string
  | { readonly definitionId: string; readonly versionOptions?: VersionOptions }
  | { readonly definitionVersionId: string };
