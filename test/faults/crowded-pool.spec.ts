import { afterAll, afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { IWorkflowDispatcher, IWorkflowRuntime } from '@waymark/runtime';
import { TypeOrmPersistence } from '@waymark/typeorm';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { aBurstOf } from '../support/a-burst.js';
import { anInstanceOf } from '../support/an-instance.js';
import { testBackends } from '../support/backends.js';
import { describeInTurnOn } from '../support/describe-on.js';
import { line, type RuntimeNode, sequence, startNode, waitFor } from '../support/runtime-node.js';

// The application and Waymark share a pool, which has one connection, or two or three.

const WORK = 30;
const TEST_MS = 120_000;

describeInTurnOn(await testBackends('mysql', 'postgres'), 'a crowded pool: $name', (backend) => {
  const { tablePrefix } = backend;
  const opened: (() => Promise<unknown>)[] = [];
  const warnings = () => jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);

  const share = async (poolSize: number, limits = {}) => {
    const options = { type: backend.name, url: backend.url, poolSize } as DataSourceOptions;
    const dataSource = await new DataSource(options).initialize();
    const persistence = TypeOrmPersistence.fromDataSource(dataSource, { tablePrefix, ...limits });
    await persistence.initialize();
    opened.push(() => persistence.close().then(() => dataSource.destroy()));
    return { dataSource, persistence };
  };

  afterEach(async () => {
    for (const close of opened.splice(0)) await close();
  });
  afterAll(() => backend.drop());

  it.each([1, 2, 3])(
    'work of the application and of workflows proceeds side by side with %d connections',
    async (poolSize) => {
      const spy = warnings();
      const { dataSource, persistence } = await share(poolSize);
      const node: RuntimeNode = await startNode(Object.assign(Object.create(persistence), { close: async () => {} }));
      const [kid, parent] = [`kid-${poolSize}`, `parent-${poolSize}`];
      await node.deploy(kid, line('L', 'done'));
      await node.deploy(parent, sequence('S', line('A', 'a'), waitFor('E', `go-${poolSize}`)));
      const own = async () => {
        const runner = dataSource.createQueryRunner();
        await runner.startTransaction();
        await runner.query('SELECT 1');
        await runner.commitTransaction();
        await runner.release();
      };
      await Promise.all(
        Array.from({ length: WORK }, async (_, n) => {
          await own();
          const client = await node.get(IWorkflowRuntime).createClient();
          await client.createAndRunInstance({ definition: parent, requestKey: `${parent}-${n}` });
          await Promise.all([own(), node.get(IWorkflowDispatcher).dispatch({ definition: kid })]);
        }),
      );
      await node.settled();
      const count = (definition: string, subStatus: 'Finished' | 'Suspended') =>
        persistence.instances.count({ definitionIds: [definition], subStatuses: [subStatus] });
      expect([await count(kid, 'Finished'), await count(parent, 'Suspended')]).toEqual([WORK, WORK]);
      const said = spy.mock.calls.map(([text]) => String(text)).filter((text) => !text.includes('have no limit'));
      await node.close();
      spy.mockRestore();
      expect(said).toEqual([]);
    },
    TEST_MS,
  );

  it(
    'a crowded pool whose connections the application holds is reported as an outage instead of waiting forever',
    async () => {
      const spy = warnings();
      const { dataSource, persistence } = await share(1, { statementTimeoutMs: 400, connectTimeoutMs: 300 });
      const runner = dataSource.createQueryRunner();
      await runner.startTransaction();
      // As when a workflow is started in the middle of a transaction of the application, which waits for it.
      for (let n = 0; n < 2; n++)
        await expect(persistence.commit(aBurstOf(anInstanceOf(`crowded-${n}`)))).rejects.toMatchObject({
          code: 'WM7014',
          message: expect.stringContaining('had no connection free in time'),
        });
      await runner.commitTransaction();
      await runner.release();
      await persistence.commit(aBurstOf(anInstanceOf('crowded-0')));
      expect(await persistence.instances.findIds({ ids: ['crowded-0', 'crowded-1'] })).toEqual(['crowded-0']);
      spy.mockRestore();
    },
    TEST_MS,
  );
});
