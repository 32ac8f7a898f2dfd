import { afterAll, expect, it } from '@jest/globals';
import type { RunInstanceResult } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeInTurnAfterQuickOn } from '../support/describe-on.js';
import { line, literal, sequence, startedBy } from '../support/runtime-node.js';
import { type SpawnedNode, spawnNode } from '../support/spawn-node.js';
import { until } from '../support/until.js';

const PROCESS_TEST_MS = 180_000;
const DELAY_SECONDS = [1, 2];
const INSTANCES_EACH = 20;
const CRONS = 3;

describeInTurnAfterQuickOn(
  await testBackends('sqlite', 'mysql', 'postgres'),
  'timers of a killed node on $name',
  (backend) => {
    const { url, tablePrefix } = backend;
    afterAll(() => backend.drop());

    it(
      'W4, W8: delays and crons that it had scheduled are served by the others, each of them once',
      async () => {
        const nodes = await Promise.all([1, 2, 3].map(() => spawnNode({ url, tablePrefix })));
        const [doomed, first, second] = nodes as [SpawnedNode, SpawnedNode, SpawnedNode];
        const finished = async (definitionId: string): Promise<number> => {
          const counts = await first.ask<Record<string, number>>({ do: 'versions', definitionId });
          return Object.values(counts).reduce((sum, count) => sum + count, 0);
        };
        const deploy = async (definitionId: string, timer: object): Promise<void> => {
          const root = sequence('S', { type: '', id: 'T', ...timer }, line('After', 'x'));
          expect(await doomed.ask({ do: 'deploy', definitionId, root })).toEqual([]);
        };
        try {
          for (let n = 0; n < CRONS; n++)
            await deploy(`cron-${n}`, { type: 'Elsa.Cron', cronExpression: literal('* * * * * *'), ...startedBy });
          for (const seconds of DELAY_SECONDS)
            await deploy(`delay-${seconds}`, {
              type: 'Elsa.Delay',
              timeSpan: literal(`00:00:0${seconds}`, 'TimeSpan'),
            });
          const started = await Promise.all(
            DELAY_SECONDS.flatMap((seconds) =>
              Array.from({ length: INSTANCES_EACH }, () =>
                doomed.ask<RunInstanceResult>({ do: 'run', definition: `delay-${seconds}` }),
              ),
            ),
          );
          await doomed.kill();
          const crons = Array.from({ length: CRONS }, (_, n) => `cron-${n}`);
          const before = await Promise.all(crons.map(finished));
          for (const seconds of DELAY_SECONDS)
            await until(async () => (await finished(`delay-${seconds}`)) >= INSTANCES_EACH);
          for (const { workflowInstanceId: instanceId } of started)
            expect(await second.ask({ do: 'state', instanceId })).toEqual({
              subStatus: 'Finished',
              waiting: 0,
              completed: ['T', 'After', 'S', 'Workflow1'],
            });
          for (const [n, cron] of crons.entries()) await until(async () => (await finished(cron)) > before[n]!);
        } finally {
          await Promise.all(nodes.map((node) => node.kill()));
        }
      },
      PROCESS_TEST_MS,
    );
  },
);
