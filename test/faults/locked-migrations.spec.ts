import { afterAll, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createWaymarkDataSource, TypeOrmPersistence } from '@waymark/typeorm';
import { AbstractLogger } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { until } from '../support/until.js';

// A backup, or a forgotten transaction, reads a table that a new release changes, while nodes of the old one serve. What waits behind
// the change for as long as the reader takes runs into the time limit of its test.

/** Tells how often the table was tried to be changed. */
class Changes extends AbstractLogger {
  count = 0;
  private wake = (): void => {};

  constructor() {
    super('all');
  }
  override logQuery(sql: string): void {
    if (!/^ALTER TABLE \S*bookmarks/.test(sql)) return;
    this.count++;
    this.wake();
  }
  protected writeLog(): void {}

  async reach(count: number): Promise<void> {
    while (this.count < count) await new Promise<void>((resolve) => (this.wake = resolve));
  }
}

describeOn(
  await testBackends('mysql', 'postgres'),
  'a migration of a table that is read for long: $name',
  (backend) => {
    const { tablePrefix, url, name } = backend;
    afterAll(() => backend.drop());

    it('gives way to running nodes, and continues when the reader has finished', async () => {
      const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
      const before = await backend.create();
      await before.initialize();
      await before.close();
      const others = await createWaymarkDataSource(url, { tablePrefix }).initialize();
      const select = `SELECT id FROM ${tablePrefix}bookmarks LIMIT 1`;
      // The release before the migration that adds a column to that table.
      const names = others.migrations.map((migration) => migration.name ?? migration.constructor.name);
      const first = names.findIndex((each) => each.startsWith('Operations'));
      for (let count = names.length; count > first; count--) await others.undoLastMigration();
      const reader = others.createQueryRunner();
      await reader.startTransaction();
      await reader.query(select);

      const logger = new Changes();
      const options = { type: name as 'postgres', url, logging: true as const, logger };
      const fresh = TypeOrmPersistence.fromOptions(options, { tablePrefix });
      const starting = fresh.initialize();
      await logger.reach(1);
      // Behind a change that waits; and while it is tried again and again.
      await until(async () => {
        await others.query(select);
        return logger.count >= 2;
      });

      await reader.commitTransaction();
      await reader.release();
      await starting;
      expect(await fresh.definitions.changeCounter()).toBe(0);
      const said = warnings.mock.calls.filter(([text]) => String(text).includes('waits for a lock'));
      expect(said).toHaveLength(1);
      warnings.mockRestore();
      await fresh.close();
      await others.destroy();
    }, 60_000);
  },
);

/** Calls when a statement is about to be sent. */
class OnStatement extends AbstractLogger {
  constructor(
    private readonly pattern: RegExp,
    private readonly call: () => unknown,
  ) {
    super('all');
  }
  override logQuery(sql: string): void {
    if (this.pattern.test(sql)) this.call();
  }
  protected writeLog(): void {}
}

// MySQL and MariaDB commit each statement of a migration by itself, so it waits for one table at a time.
describeOn(await testBackends('postgres'), 'a migration of two tables that nodes write to: $name', (backend) => {
  const { tablePrefix, url } = backend;
  afterAll(() => backend.drop());

  it('is tried again when it and a commit wait for each other', async () => {
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const before = await backend.create();
    await before.initialize();
    await before.close();
    const others = await createWaymarkDataSource(url, { tablePrefix }).initialize();
    const names = others.migrations.map((migration) => migration.name ?? migration.constructor.name);
    // It locks the bookmarks and then the instances; commits write them the other way round.
    const first = names.findIndex((each) => each.startsWith('LookUpIndexes'));
    for (let count = names.length; count > first; count--) await others.undoLastMigration();
    const writer = others.createQueryRunner();
    await writer.startTransaction();
    await writer.query(`LOCK TABLE ${tablePrefix}instances IN ROW EXCLUSIVE MODE`);

    const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${tablePrefix}instances'::regclass`;
    const write = async (): Promise<void> => {
      // Of two that wait for each other, the server ends the one that has waited for longer.
      await until(async () => ((await others.query(waits)) as unknown[]).length > 0);
      await writer.query(`LOCK TABLE ${tablePrefix}bookmarks IN ROW EXCLUSIVE MODE`);
      await writer.commitTransaction();
    };
    let writing: Promise<void> | undefined;
    const logger = new OnStatement(/^CREATE INDEX .*instances_finished_at/, () => (writing ??= write()));
    const fresh = TypeOrmPersistence.fromOptions({ type: 'postgres', url, logging: true, logger }, { tablePrefix });
    await fresh.initialize();
    await writing;
    expect(writing).toBeDefined();
    expect(await fresh.definitions.changeCounter()).toBe(0);
    await writer.release();
    warnings.mockRestore();
    await fresh.close();
    await others.destroy();
  }, 60_000);
});
