import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testBackends } from '../support/backends.js';
import { amountOf, isThorough } from '../support/depth.js';
import { describeInTurnAfterQuickOn } from '../support/describe-on.js';
import { line, sequence, waitFor } from '../support/runtime-node.js';
import { type SpawnedNode, spawnNode } from '../support/spawn-node.js';

const PROCESS_TEST_MS = 600_000;
const LOOK_MS = 10;
const INSTANCES = amountOf(2_000, 4);
/** Started at the same time. */
const STARTS = 500;
/** Shares of the work at which the node that does it is killed. */
const KILLED_AT = isThorough ? [0, 0.3, 0.5, 0.8] : [0.3];
/** Longer than the lease of a batch or message: the clock of the node that follows is ahead by that. */
const LEASE_MS = 60_000;

interface BulkProgress {
  status: string;
  selected: number;
  visited: number;
  changed: number;
  failed: number;
}

interface AlterationProgress {
  status: string;
  jobs: Record<string, number>;
}

interface Audit {
  times: Record<string, number>;
  subStatuses: Record<string, number>;
}

describeInTurnAfterQuickOn(
  await testBackends('sqlite', 'mysql', 'postgres'),
  'plans of killed nodes on $name',
  ({ url, tablePrefix, drop }) => {
    afterAll(() => drop());
    let nodes: SpawnedNode[] = [];

    const next = async (): Promise<SpawnedNode> => {
      const node = await spawnNode({ url, tablePrefix, aheadMs: nodes.length * LEASE_MS });
      nodes.push(node);
      return node;
    };
    const last = () => nodes.at(-1)!;

    beforeAll(async () => {
      nodes = [];
      await next();
    }, PROCESS_TEST_MS);
    afterAll(() => Promise.all(nodes.map((node) => node.kill())));

    async function instancesOf(definitionId: string): Promise<void> {
      const root = sequence('S', waitFor('Wait', 'never'), line('After', 'x'));
      expect(await last().ask({ do: 'deploy', definitionId, root })).toEqual([]);
      for (let left = INSTANCES; left > 0; left -= STARTS)
        await last().ask({ do: 'startMany', definition: definitionId, times: Math.min(STARTS, left) });
    }

    /** Until the plan has ended, with a node that is killed at each of these shares, and one that takes its place. */
    async function endOf<T extends { status: string }>(planId: string, doneOf: (plan: T) => number): Promise<T> {
      const shares = [...KILLED_AT];
      for (;;) {
        const plan = await last().ask<T>({ do: 'plan', planId });
        const share = shares[0];
        if (share !== undefined && doneOf(plan) >= share * INSTANCES) {
          shares.shift();
          expect(plan.status).not.toBe('Completed');
          await last().kill();
          await next();
        } else if (plan.status === 'Completed') return plan;
        else await pause(LOOK_MS);
      }
    }

    it(
      'W8: cancels each instance once, and counts all of them',
      async () => {
        await instancesOf('cancelled');
        const planId = await last().ask<string>({ do: 'bulk', action: 'cancel', definitionId: 'cancelled' });
        const plan = await endOf<BulkProgress>(planId, ({ visited }) => visited);
        expect(plan).toMatchObject({ selected: INSTANCES, visited: INSTANCES, failed: 0 });
        // What a killed node had done of its batch is not counted: see BulkPlans.
        expect(plan.changed).toBeLessThanOrEqual(INSTANCES);
        expect(plan.changed).toBeGreaterThanOrEqual(INSTANCES - KILLED_AT.length * 200);
        const audit = { do: 'audit', definitionId: 'cancelled', eventName: 'Canceled', activityId: 'Wait' } as const;
        expect(await last().ask<Audit>(audit)).toEqual({
          times: { 1: INSTANCES },
          subStatuses: { Cancelled: INSTANCES },
        });
      },
      PROCESS_TEST_MS,
    );

    it(
      'W8: deletes all instances, and counts all of them',
      async () => {
        await instancesOf('deleted');
        const planId = await last().ask<string>({ do: 'bulk', action: 'delete', definitionId: 'deleted' });
        const plan = await endOf<BulkProgress>(planId, ({ visited }) => visited);
        expect(plan).toMatchObject({ selected: INSTANCES, visited: INSTANCES, failed: 0 });
        expect(await last().ask({ do: 'count', definitionId: 'deleted' })).toBe(0);
      },
      PROCESS_TEST_MS,
    );

    it(
      'W8: alters each instance once, and ends the plan',
      async () => {
        await instancesOf('altered');
        const planId = await last().ask<string>({ do: 'schedule', activityId: 'After', definitionId: 'altered' });
        const plan = await endOf<AlterationProgress>(planId, ({ jobs }) => jobs.Completed ?? 0);
        expect(plan.jobs).toEqual({ Completed: INSTANCES });
        const audit = { do: 'audit', definitionId: 'altered', eventName: 'Completed', activityId: 'After' } as const;
        expect(await last().ask<Audit>(audit)).toMatchObject({ times: { 1: INSTANCES } });
      },
      PROCESS_TEST_MS,
    );
  },
);
