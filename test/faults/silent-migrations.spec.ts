import { afterAll, expect, it } from '@jest/globals';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { AbstractLogger } from 'typeorm';
import { testBackends } from '../support/backends.js';
import { describeInTurnOn } from '../support/describe-on.js';
import { FaultProxy } from './fault-proxy.js';

// A connection that goes silent while the tables are being migrated: its node gives up, and the next start gets through.
// A start that does not give up waits without end, and so runs into the time limit of its test.

class OnQuery extends AbstractLogger {
  constructor(private readonly heard: (sql: string) => void) {
    super('all');
  }
  override logQuery(sql: string): void {
    this.heard(sql);
  }
  protected writeLog(): void {}
}

describeInTurnOn(
  await testBackends('mysql', 'postgres'),
  'a silent connection during a migration: $name',
  (backend) => {
    afterAll(() => backend.drop());

    it.each([
      ['a migration', /CREATE TABLE.*_instances/s],
      ['its record', /INSERT INTO \S*migrations/],
    ])(
      'ends the start, and its session does not block a later one: in the middle of %s',
      async (_, moment) => {
        await backend.drop();
        const proxy = await FaultProxy.open(backend.url ?? '');
        let isSilent = false;
        const logger = new OnQuery((sql) => {
          if (isSilent || !moment.test(sql)) return;
          isSilent = true;
          proxy.blackHole('established');
        });
        const options = { type: backend.name as 'postgres', url: proxy.url, logging: true as const, logger };
        const { tablePrefix } = backend;
        const limits = { tablePrefix, statementTimeoutMs: 500, connectTimeoutMs: 500, migrationTimeoutMs: 1000 };
        const silenced = TypeOrmPersistence.fromOptions(options, limits);
        await expect(silenced.initialize()).rejects.toMatchObject({
          code: 'WM7014',
          message: expect.stringContaining('Start again'),
        });
        expect(isSilent).toBe(true);
        // Its session still is there, and holds the guard: the server hears nothing of its end.
        const next = await backend.create();
        await next.initialize();
        expect(await next.definitions.changeCounter()).toBe(0);
        await next.close();
        await silenced.close();
        await proxy.close();
      },
      30_000,
    );

    it('is waited for no longer than that', async () => {
      await backend.drop();
      const proxy = await FaultProxy.open(backend.url ?? '');
      let go = (): void => {};
      const isHeld = new Promise<void>((resolve) => (go = resolve));
      const logger = new OnQuery((sql) => {
        if (!/CREATE TABLE.*_instances/s.test(sql)) return;
        proxy.blackHole('established');
        go();
      });
      const options = { type: backend.name as 'postgres', url: proxy.url, logging: true as const, logger };
      const { tablePrefix } = backend;
      const slow = TypeOrmPersistence.fromOptions(options, { tablePrefix, migrationTimeoutMs: 6000 });
      const ending = expect(slow.initialize()).rejects.toMatchObject({ code: 'WM7014' });
      await isHeld;
      const waiting = await backend.create({ migrationTimeoutMs: 1000 });
      await expect(waiting.initialize()).rejects.toMatchObject({
        code: 'WM7014',
        message: expect.stringContaining('Start again'),
      });
      await waiting.close();
      await ending;
      await slow.close();
      await proxy.close();
    }, 30_000);
  },
);
