import type { DeadLetter, LetterFilter, LetterSource } from './dead-letters.js';
import { type DefinitionListRequest, type DefinitionSummary, type PageOf, type VersionOptions } from './definitions.js';
import type { InstanceListRequest, InstanceSummary } from './instances.js';
import { get, post } from './request.js';

/** The server takes no more ids in one request. */
export const MOST_AT_ONCE = 10_000;
const PAGE_SIZE = 1_000;
/** Servers refuse addresses of more than some thousand characters. */
const IDS_OF_ADDRESS = 50;
/** Letters come with all that they hold. */
const LETTERS_OF_PAGE = 200;

/** Every instance that matches, `MOST_AT_ONCE` at most: what will be done to them can be said before, number by number. */
export async function allInstances({ page: _page, ...filter }: InstanceListRequest): Promise<InstanceSummary[]> {
  const found: InstanceSummary[] = [];
  let after: string | undefined;
  do {
    const request = { ...filter, pageSize: PAGE_SIZE, ...(after === undefined ? {} : { after }) };
    const { items, next } = await post<PageOf<InstanceSummary> & { next?: string }>('workflow-instances', request);
    found.push(...items);
    after = next;
  } while (after !== undefined && found.length < MOST_AT_ONCE);
  return found.slice(0, MOST_AT_ONCE);
}

/** Those of these instances that are there, as they are now. Undefined: the server does not look for them by id. */
export async function theseInstances(ids: readonly string[]): Promise<InstanceSummary[] | undefined> {
  const found: InstanceSummary[] = [];
  for (let from = 0; from < ids.length; from += PAGE_SIZE) {
    const some = ids.slice(from, from + PAGE_SIZE);
    const { items } = await post<PageOf<InstanceSummary>>('workflow-instances', { ids: some, pageSize: PAGE_SIZE });
    // A node of a version before knows no such condition, and gives the newest of all.
    if (items.some(({ id }) => !some.includes(id))) return undefined;
    found.push(...items);
  }
  return found;
}

/** The same of definitions, by the version that is asked for. */
export async function theseDefinitions(
  versionOptions: VersionOptions,
  definitionIds: readonly string[],
): Promise<DefinitionSummary[]> {
  const found: DefinitionSummary[] = [];
  for (let from = 0; from < definitionIds.length; from += IDS_OF_ADDRESS) {
    const some = definitionIds.slice(from, from + IDS_OF_ADDRESS);
    const query = { versionOptions, definitionIds: some, pageSize: IDS_OF_ADDRESS };
    found.push(...(await get<PageOf<DefinitionSummary>>('workflow-definitions', { query })).items);
  }
  return found;
}

/** Every definition that matches, `MOST_AT_ONCE` at most. */
export async function allDefinitions(filter: DefinitionListRequest): Promise<DefinitionSummary[]> {
  // Pages by number: what is saved meanwhile may shift one into the page that follows.
  const found = new Map<string, DefinitionSummary>();
  for (let page = 0; found.size < MOST_AT_ONCE; page++) {
    const query = { ...filter, page, pageSize: PAGE_SIZE };
    const { items } = await get<PageOf<DefinitionSummary>>('workflow-definitions', { query });
    for (const item of items) found.set(item.definitionId, item);
    if (items.length < PAGE_SIZE) break;
  }
  return [...found.values()];
}

/** The id of every dead letter that matches, `MOST_AT_ONCE` at most. */
export async function allLetters(source: LetterSource, filter: LetterFilter): Promise<string[]> {
  // Likewise: one that is deleted meanwhile shifts one to the page before.
  const found = new Set<string>();
  for (let page = 0; found.size < MOST_AT_ONCE; page++) {
    const request = { ...filter, page, pageSize: LETTERS_OF_PAGE };
    const { items } = await post<PageOf<DeadLetter>>(`${source}/dead-letters`, request);
    for (const { id } of items) found.add(id);
    if (items.length < LETTERS_OF_PAGE) break;
  }
  return [...found].slice(0, MOST_AT_ONCE);
}
