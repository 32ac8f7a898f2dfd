import { createHash } from 'node:crypto';
import { type WorkflowDefinition } from '@waymark/core';
import { serialize } from '@waymark/core/adapter';
import type { WorkflowPersistence, StoredTrigger } from '@waymark/runtime';
import type { DefinitionChange, DefinitionStore } from '@waymark/runtime/adapter';
import { createWaymarkDataSource } from '@waymark/typeorm';
import type { DataSource } from 'typeorm';
import type { TestBackend } from './backends.js';

/**
 * The store as a node of the version before `DefinitionChanges` writes it: it counts its changes of definitions and knows
 * neither their names nor references. Everything else is that of today.
 */
export async function openLikeOlderNode(backend: TestBackend): Promise<WorkflowPersistence> {
  const persistence = await backend.create();
  const dataSource = await createWaymarkDataSource(backend.url!, { tablePrefix: backend.tablePrefix }).initialize();
  const definitions = Object.create(persistence.definitions, {
    apply: { value: (change: DefinitionChange) => applyLikeOlderNode(dataSource, backend.tablePrefix, change) },
  }) as DefinitionStore;
  return Object.create(persistence, {
    definitions: { value: definitions },
    close: {
      value: async () => {
        await dataSource.destroy();
        await persistence.close();
      },
    },
  }) as WorkflowPersistence;
}

/** The number of the lock that builds before 28 November 2026 take for a migration: it does not say where the tables are. */
export function olderGuardNumber(tablePrefix = 'waymark_'): number {
  return createHash('sha256').update(`waymark ${tablePrefix}migrations`).digest().readUInt32BE(0);
}

/** The statements of that version, in their order. */
async function applyLikeOlderNode(dataSource: DataSource, prefix: string, change: DefinitionChange): Promise<void> {
  const isPostgres = dataSource.options.type === 'postgres';
  await dataSource.transaction(async ({ queryRunner }) => {
    const run = (sql: string, ...params: unknown[]): Promise<unknown> => {
      let count = 0;
      return queryRunner!.query(isPostgres ? sql.replaceAll('?', () => `$${++count}`) : sql, params);
    };
    const insert = (table: string, row: Record<string, unknown>): Promise<unknown> => {
      const columns = Object.keys(row);
      const values = columns.map(() => '?').join(', ');
      return run(`INSERT INTO ${prefix}${table} (${columns.join(', ')}) VALUES (${values})`, ...Object.values(row));
    };
    await run(`UPDATE ${prefix}counters SET counted = counted + 1 WHERE name = 'definitions'`);
    for (const id of change.deletedIds) await run(`DELETE FROM ${prefix}definitions WHERE id = ?`, id);
    for (const { definition, expectedRevision } of change.saved) {
      const row = definitionRow(definition, (expectedRevision ?? 0) + 1);
      const assignments = Object.keys(row).map((column) => `${column} = ?`);
      if (expectedRevision === undefined) await insert('definitions', row);
      else {
        const sql = `UPDATE ${prefix}definitions SET ${assignments.join(', ')} WHERE id = ? AND revision = ?`;
        await run(sql, ...Object.values(row), definition.id, expectedRevision);
      }
    }
    const replaced = [...change.removedTriggerIds, ...change.addedTriggers.map(({ id }) => id)];
    for (const id of replaced) await run(`DELETE FROM ${prefix}triggers WHERE id = ?`, id);
    for (const trigger of change.addedTriggers) await insert('triggers', triggerRow(trigger));
  });
}

const definitionRow = (definition: WorkflowDefinition, revision: number) => ({
  id: definition.id,
  definition_id: definition.definitionId,
  version: definition.version,
  name: definition.name ?? null,
  description: definition.description ?? null,
  created_at: definition.createdAt.getTime(),
  is_latest: Number(definition.isLatest),
  is_published: Number(definition.isPublished),
  is_readonly: Number(definition.isReadonly),
  is_system: Number(definition.isSystem),
  materializer_name: definition.materializerName,
  usable_as_activity: Number(definition.options.usableAsActivity === true),
  data: serialize(definition, 'definition'),
  revision,
});

const triggerRow = (trigger: StoredTrigger) => ({
  id: trigger.id,
  workflow_definition_id: trigger.workflowDefinitionId,
  workflow_definition_version_id: trigger.workflowDefinitionVersionId,
  name: trigger.name,
  activity_id: trigger.activityId,
  due_at: trigger.dueAt?.getTime() ?? null,
  ended: Number(trigger.dueAt === null),
  hash: trigger.hash,
  data: trigger.payload === undefined ? null : serialize(trigger.payload, 'payload'),
  exclusive_key: trigger.exclusiveKey ?? null,
});
