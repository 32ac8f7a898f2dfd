import { afterAll, beforeEach, expect, it } from '@jest/globals';
import { createWaymarkDataSource } from '@waymark/typeorm';
import { BuiltHost } from '../support/built-host.js';
import { describeThorough } from '../support/depth.js';
import { until } from '../support/until.js';

const HOST_TEST_MS = 120_000;

/** Another process that keeps the file to itself, until it gives it back. */
async function lock(file: string): Promise<() => Promise<void>> {
  const dataSource = await createWaymarkDataSource(`sqlite:${file}`).initialize();
  // The host may be writing.
  await until(() =>
    dataSource.query('BEGIN IMMEDIATE').then(
      () => true,
      () => false,
    ),
  );
  return async () => {
    await dataSource.query('ROLLBACK');
    await dataSource.destroy();
  };
}

describeThorough('the host, when its database cannot be written', () => {
  let host: BuiltHost;
  beforeEach(() => {
    host = new BuiltHost();
  });
  afterAll(() => host.remove());

  it(
    'reports unhealthy, and is healthy again when the database answers',
    async () => {
      await host.start();
      expect((await host.call('GET', '/health/ready')).status).toBe(200);
      const leave = { employee: 'Mia', days: 3 };
      const { json } = await host.call('POST', '/workflows/leave-requests', leave);
      const unlock = await lock(host.databaseFile);
      // An HTTP workflow, the management API, and a route of the host itself.
      const refused = Promise.all([
        host.call('POST', '/workflows/leave-requests', leave),
        host.call('POST', '/elsa/api/workflow-definitions/hello/execute', {}),
        host.call('POST', `/leave-requests/${json.requestId}/manager`, { approved: true, by: 'Max' }),
      ]);
      // An answer is kept for a second.
      const health = await until(
        () => host.call('GET', '/health/ready'),
        ({ status }) => status !== 200,
      );
      expect([health.status, health.json]).toEqual([503, { status: 'database busy' }]);
      expect((await host.call('GET', '/health/live')).status).toBe(200);
      for (const { status, headers, json: body, text } of await refused) {
        expect([status, headers.get('retry-after'), body.code]).toEqual([503, '5', 'WM7014']);
        expect(text).not.toMatch(/sql|locked/i);
      }
      await unlock();
      // A host that does not come back runs into the time limit of the test.
      await until(
        () => host.call('GET', '/health/ready'),
        ({ status }) => status === 200,
      );
      expect(await host.end('SIGTERM')).toBe(0);
      await host.remove();
    },
    HOST_TEST_MS,
  );

  it(
    'ends at once on a second signal, with a distinct exit code',
    async () => {
      await host.start();
      const unlock = await lock(host.databaseFile);
      // A commit that cannot be made keeps the host from draining.
      const request = host
        .call('POST', '/workflows/leave-requests', { employee: 'Mia', days: 3 })
        .catch(() => undefined);
      const health = await host.call('GET', '/health');
      expect(health.status).toBe(503);
      const ended = host.end('SIGTERM');
      await host.says('SIGTERM: no new work is accepted');
      // Had it waited for the drain, or for the end of its time, its code would be another one.
      expect(await host.end('SIGINT')).toBe(130);
      expect(await ended).toBe(130);
      await host.says('SIGINT a second time');
      await request;
      await unlock();
      await host.remove();
    },
    HOST_TEST_MS,
  );

  it(
    'ends when its time limit has passed, with a distinct exit code',
    async () => {
      host = new BuiltHost({ WAYMARK_SHUTDOWN_SECONDS: '2' });
      await host.start();
      const unlock = await lock(host.databaseFile);
      const request = host
        .call('POST', '/workflows/leave-requests', { employee: 'Mia', days: 3 })
        .catch(() => undefined);
      expect((await host.call('GET', '/health')).status).toBe(503);
      expect(await host.end('SIGTERM')).toBe(1);
      await host.says('The shutdown took longer than 2 seconds');
      await request;
      await unlock();
    },
    HOST_TEST_MS,
  );
});
