import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from '@jest/globals';
import { testBackends } from '../support/backends.js';
import { isThorough } from '../support/depth.js';
import { describeInTurnAfterQuickOn } from '../support/describe-on.js';
import { line, sequence, waitFor } from '../support/runtime-node.js';
import type { NodeSettings } from '../support/node-process.js';
import { type SpawnedNode, spawnNode } from '../support/spawn-node.js';
import { LOOK_MS, until } from '../support/until.js';

const PROCESS_TEST_MS = 600_000;
/** More than a batch may be tried. In a quick run it may be tried less often. */
const KILLS = isThorough ? 20 : 2;
const MOST_ATTEMPTS = isThorough ? undefined : 2;
/** Each of them serves until it is about to store something, or for that long: it looks for plans twice a second. */
const LIFE_MS = 2_000;
/** The first one does a part of the batch, the others nothing. */
const SLOW_MS = 300;
const NEVER_MS = 60_000;
const INSTANCES = 200;
/** Longer than the lease of a batch. */
const LEASE_MS = 60_000;

interface BulkProgress {
  readonly status: string;
  readonly selected: number;
}

describeInTurnAfterQuickOn(
  await testBackends('sqlite', 'mysql', 'postgres'),
  'plans of a process that ends again and again on $name',
  ({ url, tablePrefix, drop }) => {
    let node: SpawnedNode | undefined;
    const next = async (settings: Partial<NodeSettings>): Promise<SpawnedNode> => {
      await node?.kill();
      return (node = await spawnNode({ url, tablePrefix, ...settings }));
    };
    afterAll(async () => {
      await node?.kill();
      await drop();
    }, PROCESS_TEST_MS);

    it(
      'W8: none of the instances counts as failed, and each is cancelled once',
      async () => {
        const first = await next({});
        const root = sequence('S', waitFor('Wait', 'never'), line('After', 'x'));
        expect(await first.ask({ do: 'deploy', definitionId: 'looped', root })).toEqual([]);
        await first.ask({ do: 'startMany', definition: 'looped', times: INSTANCES });
        await next({ commitMs: SLOW_MS });
        const planId = await node!.ask<string>({ do: 'bulk', action: 'cancel', definitionId: 'looped' });
        const progress = () => node!.ask<BulkProgress>({ do: 'plan', planId });
        await until(progress, ({ selected }) => selected > 0);
        await pause(2 * SLOW_MS);
        for (let kill = 0; kill < KILLS; kill++) {
          await next({ commitMs: NEVER_MS, maxDeliveryAttempts: MOST_ATTEMPTS });
          const end = performance.now() + LIFE_MS;
          while (performance.now() < end && (await node!.ask<number>({ do: 'begunCommits' })) === 0)
            await pause(LOOK_MS);
        }

        await next({ aheadMs: LEASE_MS });
        const plan = await until(progress, ({ status }) => status === 'Completed');
        expect(plan).toMatchObject({ selected: INSTANCES, visited: INSTANCES, failed: 0 });
        const audit = { do: 'audit', definitionId: 'looped', eventName: 'Canceled', activityId: 'Wait' } as const;
        expect(await node!.ask(audit)).toEqual({ times: { 1: INSTANCES }, subStatuses: { Cancelled: INSTANCES } });
      },
      PROCESS_TEST_MS,
    );
  },
);
