import { type WorkflowDefinition } from '@waymark/core';
import { deserialize } from '@waymark/core/adapter';
import type { DefinitionVersion, LoadedDefinition } from '@waymark/runtime';
import type { Row } from '../database/statement.js';
import { columnMap, placedAt, writtenColumns } from '../rows/column-map.js';
import { flag as flagged, toNumber, toText } from '../rows/column-values.js';
import { date, flag, number, optionalText, text } from '../rows/member-columns.js';
import { serialize } from '../rows/stored-text.js';

const IDS = { id: text('id'), definition_id: text('definitionId'), version: number('version') };
const NAME = { name: optionalText('name') };
const FLAGS = { is_latest: flag('isLatest'), is_published: flag('isPublished'), is_readonly: flag('isReadonly') };
const REVISION = { revision: number('revision') };

/** `data` is the whole definition; the other columns repeat what is searched. */
export const DEFINITION = writtenColumns<LoadedDefinition>({
  ...IDS,
  ...NAME,
  description: optionalText('description'),
  created_at: date('createdAt'),
  ...FLAGS,
  is_system: flag('isSystem'),
  materializer_name: text('materializerName'),
  usable_as_activity: { write: ({ options }) => flagged(options.usableAsActivity === true) },
  data: { write: ({ revision: _revision, ...definition }) => serialize(definition, `definition "${definition.id}"`) },
  ...REVISION,
  // Written with their references: see `DefinitionReferences`.
  references_revision: { write: ({ revision }) => revision },
});

export const VERSION = columnMap<DefinitionVersion>()({ ...IDS, ...NAME, ...FLAGS, ...REVISION });

export function toDefinition(row: Row): LoadedDefinition {
  try {
    return { ...deserialize<WorkflowDefinition>(toText(row.data)), revision: toNumber(row.revision) };
  } catch (error) {
    throw placedAt('column "data" of a definition', row, error);
  }
}
