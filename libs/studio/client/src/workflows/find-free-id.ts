import type { QueryClient } from '@tanstack/react-query';
import { definitionListQuery } from '../api/definitions.js';
import { definitionIdFor, freeId } from './definition-ids.js';

const TRIED = 99;

/** An id for a definition of this name that no other has. */
export async function findFreeId(client: QueryClient, name: string): Promise<string> {
  const wanted = definitionIdFor(name) || 'workflow';
  const definitionIds = [wanted, ...Array.from({ length: TRIED }, (_, index) => `${wanted}-${index + 2}`)];
  const query = definitionListQuery({ definitionIds, versionOptions: 'Latest', pageSize: definitionIds.length });
  const { items } = await client.fetchQuery({ ...query, staleTime: 0 });
  const taken = new Set(items.map(({ definitionId }) => definitionId));
  return freeId(wanted, (id) => taken.has(id));
}
