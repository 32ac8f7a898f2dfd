import { skipToken, useQuery } from '@tanstack/react-query';
import { type DefinitionSummary, definitionListQuery } from '../api/definitions.js';

export interface WorkflowRow extends DefinitionSummary {
  /** Undefined: no version is published. */
  readonly publishedVersion: number | undefined;
}

/** The rows with what is published of those whose shown version is not. */
export function useWorkflowRows(items: readonly DefinitionSummary[] = []): readonly WorkflowRow[] {
  const definitionIds = items.filter(({ isPublished }) => !isPublished).map(({ definitionId }) => definitionId);
  const query = definitionListQuery({ versionOptions: 'Published', definitionIds, pageSize: 100 });
  const published = useQuery({ ...query, queryFn: definitionIds.length > 0 ? query.queryFn! : skipToken });
  const versions = new Map(published.data?.items.map(({ definitionId, version }) => [definitionId, version]));
  return items.map((item) => ({
    ...item,
    publishedVersion: item.isPublished ? item.version : versions.get(item.definitionId),
  }));
}
