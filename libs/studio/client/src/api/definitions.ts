import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { allPages } from './all-pages.js';
import { noDefinition } from './api-error.js';
import { picturedWithHidden } from './hidden-activities.js';
import { get, part, post, send } from './request.js';
import type { UnreadableRow } from './schedules.js';

/** A row of the list of definitions: one version. */
export interface DefinitionSummary {
  readonly id: string;
  readonly definitionId: string;
  readonly name?: string;
  readonly description?: string;
  readonly version: number;
  readonly isLatest: boolean;
  readonly isPublished: boolean;
  readonly providerName?: string;
  readonly materializerName: string;
  /** Not known of a damaged row. */
  readonly createdAt?: string;
  readonly unreadable?: UnreadableRow;
  /** From code, or read-only for another reason. */
  readonly isReadonly: boolean;
}

/** An activity in Elsa's JSON. */
export interface ActivityJson {
  readonly id: string;
  readonly nodeId?: string;
  readonly name?: string;
  readonly type: string;
  readonly version?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}

export interface ArgumentJson {
  readonly name: string;
  readonly type: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly [member: string]: unknown;
}

/** A whole definition as the API gives and takes it. */
export interface DefinitionModel extends DefinitionSummary {
  readonly root: ActivityJson;
  readonly variables?: readonly Readonly<Record<string, unknown>>[];
  readonly inputs?: readonly ArgumentJson[];
  readonly outputs?: readonly ArgumentJson[];
  readonly outcomes?: readonly string[];
  readonly customProperties?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** What a save needs of it. */
export type DefinitionDraft = Partial<Omit<DefinitionModel, 'root'>> & Pick<DefinitionModel, 'root'>;

export interface SavedDefinition {
  readonly workflowDefinition: DefinitionModel;
  readonly alreadyPublished: boolean;
  readonly consumingWorkflowCount: number;
  /** Of the plan that moves the workflows that use it, where they are many. */
  readonly consumerPlanId?: string;
}

export type VersionOptions = 'Latest' | 'Published' | 'Draft' | 'LatestOrPublished' | 'AllVersions';

export interface DefinitionListRequest {
  readonly versionOptions?: VersionOptions;
  /** From 0. */
  readonly page?: number;
  readonly pageSize?: number;
  readonly orderBy?: 'Name' | 'Created' | 'Version';
  readonly orderDirection?: 'Ascending' | 'Descending';
  readonly searchTerm?: string;
  readonly definitionIds?: readonly string[];
  readonly materializer?: string;
}

/** How many there are. */
export interface Total {
  readonly totalCount: number;
  /** There are more than were counted. */
  readonly isTotalLowerBound?: true;
}

export interface PageOf<T> extends Total {
  readonly items: readonly T[];
}

const ROUTE = 'workflow-definitions';
/** A definition that is published several times a day has as many after a year. */
const VERSIONS_AT_ONCE = 1_000;
/** One that programs publish has more. */
const MOST_VERSIONS = 20_000;
const KEY = 'definitions';

/** All that is known of definitions; invalidate it after a change. */
export const definitionsKey = [KEY] as const;

export const definitionListQuery = (request: DefinitionListRequest) =>
  queryOptions({
    queryKey: [KEY, 'list', request],
    queryFn: ({ signal }) => get<PageOf<DefinitionSummary>>(ROUTE, { query: { ...request }, signal }),
    placeholderData: keepPreviousData,
  });

export const definitionQuery = (definitionId: string, versionOptions: VersionOptions = 'Latest') =>
  queryOptions({
    queryKey: [KEY, 'one', definitionId, versionOptions],
    queryFn: async ({ signal }) => {
      const path = `${ROUTE}/by-definition-id/${part(definitionId)}`;
      return picturedWithHidden(await get<DefinitionModel>(path, { query: { versionOptions }, signal }));
    },
  });

/** One version by its own id. It does not change, but for its flags. */
export const versionQuery = (id: string) =>
  queryOptions({
    queryKey: [KEY, 'version', id],
    queryFn: async ({ signal }) =>
      picturedWithHidden(await get<DefinitionModel>(`${ROUTE}/by-id/${part(id)}`, { signal })),
    staleTime: 60_000,
  });

/** Rows of all versions of a definition, the newest first. */
export const versionListQuery = (definitionId: string) =>
  queryOptions({
    queryKey: [KEY, 'versions', definitionId],
    queryFn: async ({ signal }) => {
      const query = {
        definitionIds: [definitionId],
        versionOptions: 'AllVersions',
        orderBy: 'Version',
        orderDirection: 'Descending',
        pageSize: VERSIONS_AT_ONCE,
      } as const;
      const found = await allPages(
        (page) => get<PageOf<DefinitionSummary>>(ROUTE, { query: { ...query, page }, signal }),
        MOST_VERSIONS / VERSIONS_AT_ONCE,
      );
      // An empty list would be shown as a workflow without versions, which there is not.
      if (found.items.length === 0) throw noDefinition(definitionId);
      return found;
    },
  });

export const consumersQuery = (definitionId: string) =>
  queryOptions({
    queryKey: [KEY, 'consumers', definitionId],
    queryFn: ({ signal }) =>
      get<{ consumingWorkflowDefinitionIds: string[] }>(`${ROUTE}/${part(definitionId)}/consumers`, { signal }),
  });

/** Of work that became too much for one request. */
export interface PlanAnswer {
  readonly planId?: string;
}

export const deleteDefinitions = (definitionIds: readonly string[]): Promise<PlanAnswer & { deleted: number }> =>
  post('bulk-actions/delete/workflow-definitions/by-definition-id', { definitionIds });

export interface BulkPublishAnswer extends PlanAnswer {
  readonly published: readonly string[];
  readonly alreadyPublished: readonly string[];
  readonly notFound: readonly string[];
  readonly skipped: readonly string[];
  readonly failed: readonly string[];
  /** Of plans that move the workflows that use them, where they are many. */
  readonly consumerPlanIds?: readonly string[];
  readonly warnings: Readonly<Record<string, readonly string[]>>;
}

export const publishDefinitions = (definitionIds: readonly string[]): Promise<BulkPublishAnswer> =>
  post('bulk-actions/publish/workflow-definitions/by-definition-ids', { definitionIds });

export interface BulkRetractAnswer extends PlanAnswer {
  readonly retracted: readonly string[];
  readonly alreadyRetracted: readonly string[];
  readonly skipped: readonly string[];
  readonly notFound: readonly string[];
  /** Left out without any. */
  readonly failures?: readonly { readonly id: string; readonly code?: string; readonly message: string }[];
}

export const retractDefinitions = (definitionIds: readonly string[]): Promise<BulkRetractAnswer> =>
  post('bulk-actions/retract/workflow-definitions/by-definition-ids', { definitionIds });

/** One as JSON, several as an archive. @param ids of versions */
export const exportDefinitions = (ids: readonly string[]): Promise<Response> =>
  send('POST', 'bulk-actions/export/workflow-definitions', { body: { ids } });

export const exportDefinition = (definitionId: string, versionOptions: string = 'Latest'): Promise<Response> =>
  send('POST', `${ROUTE}/${part(definitionId)}/export`, { body: { versionOptions } });

/** A file, or a definition in one, that the server did not import. */
export interface FailedImport {
  readonly file: string;
  readonly definitionId?: string;
  readonly errors: Readonly<Record<string, readonly string[]>>;
}

export interface ImportedFiles {
  readonly count: number;
  readonly failures?: readonly FailedImport[];
  /** Drafts that were not replaced. */
  readonly keptDrafts?: readonly KeptDraft[];
}

/** What another person may have drawn, and what is in no version yet. */
export interface KeptDraft {
  readonly definitionId: string;
  readonly name?: string;
  readonly version: number;
}

/**
 * Definition files and archives of them. They become drafts.
 * @param replaced only these definitions, also where that replaces an unpublished draft; @default all, and no draft is replaced
 */
export async function importDefinitions(files: readonly File[], replaced?: readonly string[]): Promise<ImportedFiles> {
  const form = new FormData();
  for (const file of files) form.append('files', file, file.name);
  const query = replaced ? { definitionIds: replaced } : { keepDrafts: true };
  return (await post<ImportedFiles | undefined>(`${ROUTE}/import-files`, form, { query })) ?? { count: 0 };
}

export const isNameUnique = (name: string, definitionId?: string): Promise<{ isUnique: boolean }> =>
  get(`${ROUTE}/validation/is-name-unique`, { query: { name, definitionId } });
