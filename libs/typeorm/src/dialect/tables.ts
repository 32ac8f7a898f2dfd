import { InvalidTablePrefixError } from '../errors.js';

export const DEFAULT_PREFIX = 'waymark_';

const TABLES = [
  'definitions',
  'definition_changes',
  'definition_references',
  'instances',
  'bookmarks',
  'patterns',
  'triggers',
  'schedules',
  'journal',
  'journal_values',
  'outbox',
  'queue',
  'queue_keys',
  'dead_letters',
  'activation_keys',
  'request_keys',
  'alteration_plans',
  'alteration_jobs',
  'bulk_plans',
  'bulk_batches',
  'user_tasks',
  'user_task_entries',
  'user_task_events',
  'audit_entries',
  'audit_targets',
  'nodes',
  'counters',
] as const;

export type Tables = Readonly<Record<(typeof TABLES)[number], string>>;

/** Names of the tables, with the prefix and, on PostgreSQL, the schema that the host chose. */
export function tableNames(prefix: string, schema?: string): Tables {
  const qualifier = schema === undefined ? '' : `${checked(schema)}.`;
  const names = TABLES.map((table) => [table, `${qualifier}${checked(prefix)}${table}`]);
  return Object.fromEntries(names) as Tables;
}

export function migrationsTableName(prefix: string): string {
  return `${checked(prefix)}migrations`;
}

/** Names stand in SQL unquoted, so nothing but plain letters gets in. PostgreSQL would fold capitals. */
function checked(name: string): string {
  if (!/^[a-z_][a-z0-9_]{0,31}$/.test(name)) throw new InvalidTablePrefixError(name);
  return name;
}
