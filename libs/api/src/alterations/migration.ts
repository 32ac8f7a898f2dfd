import type { MigrationMapping } from '@waymark/core';
import type { MigrationRequest, AlterationFilter } from '@waymark/runtime';
import { InvalidRequestError } from '../answers/api-errors.js';
import { isObject, memberOf } from '../requests/json-values.js';
import { shaped, shapeOf, shapeOfMembers } from '../requests/reader-schemas.js';
import * as read from '../requests/readers.js';
import { readAlterationFilter } from './alteration-filter.js';

/** Names to names. @param isNullable whether a name may lead to nothing */
function names<T extends string | null>(isNullable: boolean): read.Reader<Record<string, T> | undefined> {
  const schema = {
    type: 'object',
    additionalProperties: { type: 'string', ...(isNullable && { nullable: true }) },
  } as const;
  return shaped({ schema }, (value: unknown, path: string) => {
    const given = read.dictionary(value, path);
    for (const [name, target] of Object.entries(given ?? {}))
      if (!(typeof target === 'string' && target !== '') && !(isNullable && target === null))
        throw InvalidRequestError.at(
          `${path}.${name}`,
          `'${path}.${name}' must be a name of the other version${isNullable ? ', or null to drop the value' : ''}.`,
        );
    return given as Record<string, T> | undefined;
  });
}

const mappingMembers = { activities: names<string>(false), variables: names<string | null>(true) };
const readMapping: read.Reader<MigrationMapping | undefined> = read.optionalMembers(mappingMembers);

/** Refuses unknown members: a misspelt one would be ignored, and the report would complain about missing counterparts instead. */
const mapping: read.Reader<MigrationMapping | undefined> = shaped(
  shapeOf(readMapping),
  (value: unknown, path: string) => {
    for (const name of isObject(value) ? Object.keys(value) : [])
      if (!Object.keys(mappingMembers).includes(name.toLowerCase()))
        throw InvalidRequestError.at(
          `${path}.${name}`,
          `'${path}.${name}' is unknown. A mapping has ${Object.keys(mappingMembers).join(' and ')}.`,
        );
    return readMapping(value, path);
  },
);

/** The target version, and what has another name there: an extension of Elsa's `Migrate`. */
export const readMigration = read.members({ targetVersion: read.required(read.columnInteger), mapping });

const DRY_RUN = {
  targetVersion: read.required(read.columnInteger),
  mapping,
  workflowInstanceIds: read.list(read.name),
};
const readDryRun = read.members(DRY_RUN);

/** Instances by a filter, or by id as `alterations/run` takes them. */
export const migrationDryRun: read.Reader<MigrationRequest & { readonly filter: AlterationFilter }> = shaped(
  shapeOfMembers({ ...DRY_RUN, filter: readAlterationFilter }),
  (value: unknown, path: string) => {
    const { workflowInstanceIds, ...request } = readDryRun(value, path);
    const filter = memberOf(value, 'filter') ?? undefined;
    if ((filter === undefined) === (workflowInstanceIds === undefined))
      throw InvalidRequestError.at('filter', "Give either 'filter' or 'workflowInstanceIds', to select the instances.");
    return {
      ...request,
      filter: filter === undefined ? { workflowInstanceIds } : readAlterationFilter(filter, 'filter'),
    };
  },
);
export type MigrationDryRun = read.ReadBy<typeof migrationDryRun>;
