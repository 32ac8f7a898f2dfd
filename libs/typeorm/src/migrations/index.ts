import type { DataSourceOptions, MigrationInterface, QueryRunner } from 'typeorm';
import type { SchemaSettings } from '../connection/database-family.js';
import { migrationsTableName } from '../dialect/tables.js';
import { createRecord, forget, record, recordTable } from './migration-record.js';
import { CreateTables1795276800000 } from './1795276800000-create-tables.js';
import { BookmarkPatterns1795280400000 } from './1795280400000-bookmark-patterns.js';
import { LookUpIndexes1795284000000 } from './1795284000000-look-up-indexes.js';
import { BookmarkClaims1795287600000 } from './1795287600000-bookmark-claims.js';
import { RequestKeyTimes1795291200000 } from './1795291200000-request-key-times.js';
import { AlterationPlans1795294800000 } from './1795294800000-alteration-plans.js';
import { DefinitionChanges1795298400000 } from './1795298400000-definition-changes.js';
import { OutboxTurns1795302000000 } from './1795302000000-outbox-turns.js';
import { JournalValues1795303800000 } from './1795303800000-journal-values.js';
import { BulkPlans1795309200000 } from './1795309200000-bulk-plans.js';
import { AlterationSelections1795312800000 } from './1795312800000-alteration-selections.js';
import { BulkDeletions1795314600000 } from './1795314600000-bulk-deletions.js';
import { WaitingOfOneInstance1795316400000 } from './1795316400000-waiting-of-one-instance.js';
import { UserTasks1795340400000 } from './1795340400000-user-tasks.js';
import { PausedTriggers1795400000000 } from './1795400000000-paused-triggers.js';
import { ListIndexes1795405000000 } from './1795405000000-list-indexes.js';
import { AuditTrail1795410000000 } from './1795410000000-audit-trail.js';
import { Schedules1795420000000 } from './1795420000000-schedules.js';
import { Operations1795490000000 } from './1795490000000-operations.js';
import { ExecutingById1795600000000 } from './1795600000000-executing-by-id.js';
import { GrowthIndexes1796000000000 } from './1796000000000-growth-indexes.js';
import { RoomForClaims1797000000000 } from './1797000000000-room-for-claims.js';
import { ListOrders1798000000000 } from './1798000000000-list-orders.js';
import { ProcessesOfNodes1799000000000 } from './1799000000000-processes-of-nodes.js';
import { QuickCompression1800000000000 } from './1800000000000-quick-compression.js';
import { RequestedPlans1800500000000 } from './1800500000000-requested-plans.js';

/** Not the base class: that one is abstract, and cannot be extended again as it is. */
type AnyMigration = MigrationInterface & { readonly name: string };

/** In the order in which they run. Listed, not found by a pattern: a bundler would lose them. */
const MIGRATIONS: readonly (new (prefix: string, schema: string | undefined) => AnyMigration)[] = [
  CreateTables1795276800000,
  BookmarkPatterns1795280400000,
  LookUpIndexes1795284000000,
  BookmarkClaims1795287600000,
  RequestKeyTimes1795291200000,
  AlterationPlans1795294800000,
  DefinitionChanges1795298400000,
  OutboxTurns1795302000000,
  JournalValues1795303800000,
  BulkPlans1795309200000,
  AlterationSelections1795312800000,
  BulkDeletions1795314600000,
  WaitingOfOneInstance1795316400000,
  UserTasks1795340400000,
  PausedTriggers1795400000000,
  ListIndexes1795405000000,
  AuditTrail1795410000000,
  Schedules1795420000000,
  Operations1795490000000,
  ExecutingById1795600000000,
  GrowthIndexes1796000000000,
  RoomForClaims1797000000000,
  ListOrders1798000000000,
  ProcessesOfNodes1799000000000,
  QuickCompression1800000000000,
  RequestedPlans1800500000000,
];

/** What brings tables with this prefix up to date. @throws InvalidTablePrefixError (`WM7010`) */
export function migrationsFor(prefix: string, schema?: string): (new () => AnyMigration)[] {
  return MIGRATIONS.map((migration) => {
    return class extends migration {
      constructor() {
        super(prefix, schema);
      }
    };
  });
}

/**
 * The migrations for tables with this prefix, as TypeORM's `migrations` option takes them. For one prefix in a data source: TypeORM refuses
 * two migrations of one name.
 *
 * TypeORM notes in the table of its data source that they have run, and each of them notes it where nodes of Waymark look.
 * @param prefix as the option `tablePrefix` @param schema PostgreSQL: where the tables are. @default the first of the search path
 * @throws InvalidTablePrefixError (`WM7010`)
 */
export function waymarkMigrations(prefix: string, schema?: string): (new () => MigrationInterface)[] {
  const settings = { prefix, schema };
  const table = recordTable(settings);
  return migrationsFor(prefix, schema).map((migration) => {
    return class extends migration {
      override async up(runner: QueryRunner): Promise<void> {
        await super.up(runner);
        if (isKeptIn(runner, settings)) return;
        await createRecord(runner, settings);
        // A node may have run it before.
        await forget(runner, table, this);
        await record(runner, table, this);
      }

      override async down(runner: QueryRunner): Promise<void> {
        await super.down(runner);
        if (isKeptIn(runner, settings)) return;
        await createRecord(runner, settings);
        await forget(runner, table, this);
      }
    };
  });
}

/** Whether TypeORM itself writes that very table. */
function isKeptIn({ dataSource }: QueryRunner, { prefix, schema }: SchemaSettings): boolean {
  const { migrationsTableName: name, schema: ofOptions } = dataSource.options as DataSourceOptions & {
    schema?: string;
  };
  return name === migrationsTableName(prefix) && ofOptions === schema;
}
