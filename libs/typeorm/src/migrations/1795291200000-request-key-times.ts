import type { QueryRunner } from 'typeorm';
import { DIALECTS } from '../dialect/dialect.js';
import { addColumn, dropColumn } from './columns.js';
import { createIndex, dropIndex, type IndexChange } from './indexes.js';
import { WaymarkMigration } from './waymark-migration.js';

const BY_TIME: IndexChange = { table: 'request_keys', columns: ['created_at'] };

/** When a request key was used, so that it can be forgotten. Those that are there count from now. */
export class RequestKeyTimes1795291200000 extends WaymarkMigration {
  readonly name = 'RequestKeyTimes1795291200000';

  async up(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    // May be NULL: a node of the version before, which still runs while this does, does not write it.
    await addColumn(runner, target, 'request_keys', 'created_at', 'bigint?');
    const [row] = (await runner.query(`SELECT ${DIALECTS[target.family].nowMs} AS now_ms`)) as { now_ms: unknown }[];
    await runner.query(
      `UPDATE ${target.qualifier}request_keys SET created_at = ${Number(row?.now_ms)} WHERE created_at IS NULL`,
    );
    await createIndex(runner, target, BY_TIME);
  }

  async down(runner: QueryRunner): Promise<void> {
    const target = await this.target(runner);
    await dropIndex(runner, target, BY_TIME);
    await dropColumn(runner, target, 'request_keys', 'created_at');
  }
}
