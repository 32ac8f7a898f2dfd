import { useQuery } from '@tanstack/react-query';
import { definitionListQuery } from './definitions.js';

/** The names of definitions by their ids, for rows that have the ids only. One without a name has its id. */
export function useDefinitionNames(rows: readonly { readonly definitionId?: string }[]): ReadonlyMap<string, string> {
  const definitionIds = [...new Set(rows.flatMap(({ definitionId }) => definitionId ?? []))].sort();
  const found = useQuery({
    ...definitionListQuery({ definitionIds, versionOptions: 'Latest', pageSize: Math.max(1, definitionIds.length) }),
    enabled: definitionIds.length > 0,
    staleTime: 60_000,
  });
  return new Map(found.data?.items.map(({ definitionId, name }) => [definitionId, name || definitionId]));
}
