import type { QueryRunner } from 'typeorm';
import { createTableSql, type TableDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const TABLES: readonly TableDescription[] = [
  {
    name: 'definitions',
    columns: {
      id: 'id',
      definition_id: 'id',
      version: 'integer',
      name: 'text?',
      description: 'long?',
      created_at: 'bigint',
      is_latest: 'flag',
      is_published: 'flag',
      is_readonly: 'flag',
      is_system: 'flag',
      materializer_name: 'id',
      usable_as_activity: 'flag',
      data: 'long',
      revision: 'bigint',
    },
    primaryKey: 'id',
    indexes: [{ columns: ['definition_id', 'version'], unique: true }, { columns: ['name'] }],
  },
  {
    // No index on what every commit changes (updated_at, sub_status): a resume would pay for each.
    name: 'instances',
    columns: {
      id: 'id',
      definition_id: 'id',
      definition_version_id: 'id',
      version: 'integer',
      parent_instance_id: 'id?',
      status: 'id',
      sub_status: 'id',
      is_executing: 'flag',
      correlation_id: 'text?',
      name: 'text?',
      incident_count: 'integer',
      is_system: 'flag',
      created_at: 'bigint',
      updated_at: 'bigint',
      finished_at: 'bigint?',
      state: 'long',
      revision: 'bigint',
    },
    primaryKey: 'id',
    indexes: [
      { columns: ['created_at'] },
      { columns: ['definition_id', 'status'] },
      { columns: ['correlation_id'], where: 'correlation_id IS NOT NULL' },
      { columns: ['parent_instance_id'], where: 'parent_instance_id IS NOT NULL' },
      { columns: ['is_executing'], where: 'is_executing = 1' },
    ],
    fillFactor: 80,
  },
  {
    name: 'bookmarks',
    columns: {
      id: 'id',
      name: 'text',
      hash: 'id',
      workflow_instance_id: 'id',
      activity_instance_id: 'id',
      correlation_id: 'text?',
      data: 'long?',
      created_at: 'bigint',
      due_at: 'bigint?',
    },
    primaryKey: 'id',
    indexes: [
      { columns: ['hash'] },
      { columns: ['workflow_instance_id'] },
      { columns: ['due_at'], where: 'due_at IS NOT NULL' },
      { columns: ['correlation_id'], where: 'correlation_id IS NOT NULL' },
      { columns: ['name'] },
    ],
  },
  {
    name: 'triggers',
    columns: {
      id: 'id',
      workflow_definition_id: 'id',
      workflow_definition_version_id: 'id',
      name: 'text',
      activity_id: 'text',
      hash: 'id',
      data: 'long?',
      due_at: 'bigint?',
      ended: 'flag',
      exclusive_key: 'text?',
    },
    primaryKey: 'id',
    indexes: [
      { columns: ['hash'] },
      { columns: ['workflow_definition_id'] },
      { columns: ['due_at'], where: 'due_at IS NOT NULL' },
      { columns: ['exclusive_key'], where: 'exclusive_key IS NOT NULL' },
    ],
  },
  {
    name: 'journal',
    columns: {
      id: 'serial',
      instance_id: 'id',
      first_sequence: 'bigint?',
      last_sequence: 'bigint?',
      entry_count: 'integer',
      data: 'long',
    },
    primaryKey: 'id',
    indexes: [{ columns: ['instance_id', 'first_sequence'] }],
  },
  {
    name: 'outbox',
    columns: {
      seq: 'serial',
      id: 'id',
      instance_id: 'id?',
      kind: 'id',
      data: 'long',
      created_at: 'bigint',
      available_at: 'bigint',
      ready_at: 'bigint?',
      attempts: 'integer',
      last_error: 'long?',
      claimed_by: 'text?',
    },
    primaryKey: 'seq',
    indexes: [
      { columns: ['id'], unique: true },
      { columns: ['ready_at'], where: 'ready_at IS NOT NULL' },
      { columns: ['instance_id'], where: 'instance_id IS NOT NULL' },
    ],
  },
  {
    name: 'queue',
    columns: {
      seq: 'serial',
      id: 'id',
      idempotency_key: 'text?',
      workflow_instance_id: 'id?',
      correlation_id: 'text?',
      bookmark_id: 'id?',
      stimulus_hash: 'id?',
      activity_instance_id: 'id?',
      activity_type_name: 'text?',
      data: 'long',
      last_error: 'long?',
      created_at: 'bigint',
      expires_at: 'bigint',
      attempts: 'integer',
    },
    primaryKey: 'seq',
    indexes: [
      { columns: ['id'], unique: true },
      { columns: ['stimulus_hash'] },
      { columns: ['workflow_instance_id'] },
      { columns: ['expires_at'] },
    ],
  },
  {
    name: 'queue_keys',
    columns: { idempotency_key: 'text', queue_item_id: 'id', expires_at: 'bigint' },
    primaryKey: 'idempotency_key',
    indexes: [{ columns: ['expires_at'] }],
  },
  {
    name: 'dead_letters',
    columns: {
      id: 'id',
      idempotency_key: 'text?',
      workflow_instance_id: 'id?',
      correlation_id: 'text?',
      bookmark_id: 'id?',
      stimulus_hash: 'id?',
      activity_instance_id: 'id?',
      activity_type_name: 'text?',
      data: 'long',
      last_error: 'long?',
      created_at: 'bigint',
      expires_at: 'bigint',
      attempts: 'integer',
      original_queue_item_id: 'id',
      dead_lettered_at: 'bigint',
      reason: 'id',
      can_replay: 'flag',
      replayed_at: 'bigint?',
    },
    primaryKey: 'id',
    indexes: [{ columns: ['dead_lettered_at'] }, { columns: ['workflow_instance_id'] }],
  },
  {
    name: 'activation_keys',
    columns: { activation_key: 'text', instance_id: 'id' },
    primaryKey: 'activation_key',
    indexes: [{ columns: ['instance_id'] }],
  },
  {
    name: 'request_keys',
    columns: { request_key: 'text', instance_id: 'id' },
    primaryKey: 'request_key',
    indexes: [],
  },
  {
    name: 'counters',
    columns: { name: 'id', counted: 'bigint' },
    primaryKey: 'name',
    indexes: [],
  },
];

/** All tables of version 0.1. */
export class CreateTables1795276800000 extends WaymarkMigration {
  readonly name = 'CreateTables1795276800000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const table of TABLES) {
      for (const sql of createTableSql(target, table)) await runner.query(sql);
    }
    const counters = `${target.qualifier}counters`;
    const known = (await runner.query(`SELECT name FROM ${counters} WHERE name = 'definitions'`)) as unknown[];
    if (known.length === 0) await runner.query(`INSERT INTO ${counters} (name, counted) VALUES ('definitions', 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    const { qualifier } = await this.target(runner);
    for (const { name } of TABLES.toReversed()) await runner.query(`DROP TABLE IF EXISTS ${qualifier}${name}`);
  }
}
