import type { findReferences } from '@waymark/core/adapter';

export interface UsedWorkflow {
  readonly definitionId: string;
  /** Undefined: the published one. */
  readonly version: number | undefined;
}

type Reference = ReturnType<typeof findReferences>[number];

/** The workflow that a reference in the content leaves open. */
export function usedWorkflow(reference: Reference): UsedWorkflow | undefined {
  const { definitionId, definitionVersionId, version } = reference;
  return definitionId === undefined || definitionVersionId !== undefined ? undefined : { definitionId, version };
}

/** Its name in `CodeVersion.uses`. */
export const keyOf = ({ definitionId, version }: UsedWorkflow): string =>
  version === undefined ? definitionId : `${definitionId}@${version}`;
