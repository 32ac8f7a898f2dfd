import { deserialize, type WorkflowDefinition } from '@waymark/core';
import type { Row, SqlValue } from '../database/statement.js';
import type { DefinitionVersion, LoadedDefinition } from '@waymark/runtime';
import { flag, orNull, time, toFlag, toNumber, toText } from '../rows/column-values.js';
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
  'references_revision',
] as const;

export const VERSION_COLUMNS = [
  'id',
  'definition_id',
  'version',
  'is_latest',
  'is_published',
  'is_readonly',
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
    // Written with their references: see `DefinitionReferences`.
    revision,
  ];
}

export function toVersion(row: Row): DefinitionVersion {
  return {
    id: toText(row.id),
    definitionId: toText(row.definition_id),
    version: toNumber(row.version),
    isLatest: toFlag(row.is_latest),
    isPublished: toFlag(row.is_published),
    isReadonly: toFlag(row.is_readonly),
    revision: toNumber(row.revision),
  };
}

export function toDefinition(row: Row): LoadedDefinition {
  return { ...deserialize<WorkflowDefinition>(toText(row.data)), revision: toNumber(row.revision) };
}
