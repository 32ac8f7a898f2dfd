import type { QueryRunner } from 'typeorm';
import { addColumn, dropColumn } from './columns.js';
import type { ColumnDescription } from './table-sql.js';
import { WaymarkMigration } from './waymark-migration.js';

const ADDED: readonly (readonly [table: string, column: string, type: ColumnDescription])[] = [
  ['nodes', 'machine', 'text?'],
  ['nodes', 'process', 'id?'],
  ['outbox', 'written_by', 'id?'],
  // With a number before the name of the node.
  ['instances', 'executed_by', 'text?'],
];

/**
 * Which process a node is, and what is a node's besides its claims: the messages that it serves first, and bursts that are stored
 * half-way. So the others need not wait when that process has certainly ended. Nodes of the version before write none of it; what
 * they leave is taken over when its time is over.
 */
export class ProcessesOfNodes1799000000000 extends WaymarkMigration {
  readonly name = 'ProcessesOfNodes1799000000000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const [table, column, type] of ADDED) await addColumn(runner, target, table, column, type);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    for (const [table, column] of ADDED) await dropColumn(runner, target, table, column);
  }
}
