import { deserialize, type WorkflowDefinition } from '@waymark/core';
import type { Row, SqlValue } from '../database/statement.js';
import { type LoadedDefinition } from '@waymark/runtime';
import { flag, orNull, time, toNumber, toText } from '../rows/column-values.js';
import { serialize } from '../rows/stored-text.js';

/** `data` is the whole definition; the other columns repeat what is searched. */
export const DEFINITION_COLUMNS = [
  'id',
  'definition_id',
  'version',
  'name',
  'description',
  'created_at',
  'is_latest',
  'is_published',
  'is_readonly',
  'is_system',
  'materializer_name',
  'usable_as_activity',
  'data',
  'revision',
] as const;

export function definitionValues(definition: WorkflowDefinition, revision: number): SqlValue[] {
  return [
    definition.id,
    definition.definitionId,
    definition.version,
    orNull(definition.name),
    orNull(definition.description),
    time(definition.createdAt),
    flag(definition.isLatest),
    flag(definition.isPublished),
    flag(definition.isReadonly),
    flag(definition.isSystem),
    definition.materializerName,
    flag(definition.options.usableAsActivity === true),
    serialize(definition, `definition "${definition.id}"`),
    revision,
  ];
}

export function toDefinition(row: Row): LoadedDefinition {
  return { ...deserialize<WorkflowDefinition>(toText(row.data)), revision: toNumber(row.revision) };
}
