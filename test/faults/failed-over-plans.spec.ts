import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testBackends } from '../support/backends.js';
import { isThorough } from '../support/depth.js';
import { describeInTurnAfterQuickOn } from '../support/describe-on.js';
import { line, sequence, waitFor } from '../support/runtime-node.js';
import { type SpawnedNode, spawnNode } from '../support/spawn-node.js';
import { until } from '../support/until.js';
import { FaultProxy, WRITES_AND_LOCKS } from './fault-proxy.js';

const PROCESS_TEST_MS = 600_000;
/** Longer than messages, batches and waits have before they look abandoned. In a quick run, longer than what counts as a short outage. */
const READ_ONLY_MS = isThorough ? 20_000 : 2_500;
/** Of each definition: some batches, the last of them smaller. */
const INSTANCES = isThorough ? 1_500 : 250;
/** Started at the same time. */
const STARTS = 500;
/** After the outage, until something more is done. The work is repeated within half a second; the rest is what a batch takes. */
const CATCHES_UP_MS = 10_000;

interface BulkProgress {
  readonly status: string;
  readonly visited: number;
}

interface AlterationProgress {
  readonly status: string;
  readonly jobs: Readonly<Record<string, number>>;
}

describeInTurnAfterQuickOn(
  await testBackends('mysql', 'postgres'),
  'plans during a failover on $name',
  ({ url, tablePrefix, drop }) => {
    let proxies: FaultProxy[] = [];
    let nodes: SpawnedNode[] = [];

    beforeAll(async () => {
      // Each by a way of its own, as from two machines.
      proxies = await Promise.all([FaultProxy.open(url), FaultProxy.open(url)]);
      nodes = await Promise.all(proxies.map((proxy) => spawnNode({ url: proxy.url, tablePrefix, commitMs: 100 })));
    }, PROCESS_TEST_MS);
    afterAll(async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await drop();
    }, PROCESS_TEST_MS);

    async function instancesOf(definitionId: string): Promise<void> {
      const root = sequence('S', waitFor('Wait', 'never'), line('After', 'x'));
      expect(await nodes[0]!.ask({ do: 'deploy', definitionId, root })).toEqual([]);
      for (let left = INSTANCES; left > 0; left -= STARTS)
        await nodes[0]!.ask({ do: 'startMany', definition: definitionId, times: Math.min(STARTS, left) });
    }

    /** Reads go on, as on a standby. Then another server is the primary: all connections are new. */
    async function failOver(): Promise<void> {
      for (const proxy of proxies) proxy.refuse(WRITES_AND_LOCKS, 'read-only');
      await pause(READ_ONLY_MS);
      for (const proxy of proxies) {
        proxy.heal();
        proxy.cutAll();
      }
    }

    it(
      'W8: a cancellation, a deletion and an alteration do each instance once, count all of them, and continue at once',
      async () => {
        for (const definitionId of ['cancelled', 'deleted', 'altered']) await instancesOf(definitionId);
        const cancelling = await nodes[0]!.ask<string>({ do: 'bulk', action: 'cancel', definitionId: 'cancelled' });
        const deleting = await nodes[1]!.ask<string>({ do: 'bulk', action: 'delete', definitionId: 'deleted' });
        const altering = await nodes[0]!.ask<string>({ do: 'schedule', activityId: 'After', definitionId: 'altered' });
        const bulk = (planId: string) => () => nodes[0]!.ask<BulkProgress>({ do: 'plan', planId });
        const alteration = () => nodes[0]!.ask<AlterationProgress>({ do: 'plan', planId: altering });
        const doneOf = async (): Promise<number> =>
          (await bulk(cancelling)()).visited +
          (await bulk(deleting)()).visited +
          ((await alteration()).jobs.Completed ?? 0);
        await until(doneOf, (done) => done > 0);
        await failOver();
        const healedAt = performance.now();
        const before = await doneOf();
        expect(before).toBeLessThan(3 * INSTANCES);
        await until(doneOf, (done) => done > before);
        expect(performance.now() - healedAt).toBeLessThan(CATCHES_UP_MS);

        const isOver = ({ status }: { readonly status: string }): boolean => status === 'Completed';
        const all = { status: 'Completed', selected: INSTANCES, visited: INSTANCES, failed: 0 };
        expect(await until(bulk(cancelling), isOver)).toMatchObject({ ...all, changed: INSTANCES });
        expect(await until(bulk(deleting), isOver)).toMatchObject(all);
        expect((await until(alteration, isOver)).jobs).toEqual({ Completed: INSTANCES });
        const audit = (definitionId: string, eventName: string, activityId: string) =>
          nodes[1]!.ask({ do: 'audit', definitionId, eventName, activityId });
        expect(await audit('cancelled', 'Canceled', 'Wait')).toEqual({
          times: { 1: INSTANCES },
          subStatuses: { Cancelled: INSTANCES },
        });
        expect(await audit('altered', 'Completed', 'After')).toMatchObject({ times: { 1: INSTANCES } });
        expect(await nodes[1]!.ask({ do: 'count', definitionId: 'deleted' })).toBe(0);
      },
      PROCESS_TEST_MS,
    );
  },
);
