import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import type { BulkPlan } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { describeInTurnAfterQuickOn } from '../support/describe-on.js';
import { line, literal, sequence, startedBy, waitFor } from '../support/runtime-node.js';
import { type ForkedNode, forkNode } from '../support/spawn-node.js';
import { until } from '../support/until.js';
import type { HoldingCommand, HoldingSettings } from './holding-node.js';

const PROCESS_TEST_MS = 180_000;
const T0 = Date.parse('2026-03-01T10:00:00Z');
const EACH = 3;
/**
 * Claims hold for 10 seconds at least, head starts for five, and a burst without a sign of life for 30. Two nodes that take over at the
 * same time may get into each other's way, and try again after a second.
 */
const MOST_ROUNDS = 48;
const ROUND_MS = 100;
const STOPPED_ROUNDS = 6;
/** Delays are over by then, and claims have been renewed. */
const BEGUN_MS = 3000;

type Node = ForkedNode<HoldingCommand>;
type End = readonly [id: string, status: string, after: number];

const itOnLinux = process.platform === 'linux' ? it : it.skip;
const hold = { type: 'Test.Hold', id: 'Hold' };
const halfway = { options: { commitStrategyName: 'ActivityExecuting' } };
const DEFINITIONS: Readonly<Record<string, { root: ReturnType<typeof sequence>; more?: object }>> = {
  // A due wait, which its node has claimed.
  delayed: {
    root: sequence(
      'S',
      { type: 'Elsa.Delay', id: 'D', timeSpan: literal('00:00:01', 'TimeSpan') },
      hold,
      line('After', 'x'),
    ),
  },
  // A message whose claim has been renewed, and whose instance is stored as begun by then.
  claimed: { root: sequence('S', hold, line('After', 'x')) },
  // A message that its node serves first.
  fresh: { root: sequence('S', hold, line('After', 'x')) },
  // A burst that was stored half-way.
  halfway: { root: sequence('S', line('Before', 'x'), hold, line('After', 'x')), more: halfway },
  // An occurrence of a trigger.
  occurring: {
    root: sequence(
      'S',
      {
        type: 'Elsa.StartAt',
        id: 'T',
        dateTime: literal(new Date(T0 + 1000).toISOString(), 'DateTimeOffset'),
        ...startedBy,
      },
      hold,
      line('After', 'x'),
    ),
  },
  // A batch of a bulk plan.
  cancelled: { root: sequence('S', line('Before', 'x'), hold, waitFor('W', 'never')), more: halfway },
};
const STARTED = { delayed: EACH, claimed: EACH, halfway: EACH, cancelled: 1 };
const HELD = { ...STARTED, occurring: 1, fresh: EACH };
const ALL = Object.values(HELD).reduce((sum, count) => sum + count, 0);

describeInTurnAfterQuickOn(
  await testBackends('sqlite', 'mysql', 'postgres'),
  'a process on this machine that was killed, on $name',
  (backend) => {
    const { url, tablePrefix } = backend;
    let folder: string;
    let effects: string;
    let nodes: Node[];
    let run = 0;
    const named = (definitionId: string) => `${definitionId}-${run}`;

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'waymark-effects-'));
      effects = path.join(folder, 'effects.txt');
      nodes = [];
      run++;
    });
    afterEach(async () => {
      await Promise.all(nodes.map((node) => node.kill()));
      await rm(folder, { recursive: true });
    });
    afterAll(() => backend.drop());

    async function spawned(given: Partial<HoldingSettings> = {}): Promise<Node> {
      const settings = { url: url!, tablePrefix, now: T0, effects, holds: false, ...given };
      const node = await forkNode<HoldingCommand>('../faults/holding-node.ts', settings);
      nodes.push(node);
      return node;
    }

    /** Has one of everything that a node may have claimed, and holds it. */
    async function begunOn(doomed: Node): Promise<string> {
      for (const [definitionId, { root, more }] of Object.entries(DEFINITIONS))
        expect(await doomed.ask({ do: 'deploy', definitionId: named(definitionId), root, ...more })).toEqual([]);
      for (const [definitionId, count] of Object.entries(STARTED))
        for (let n = 0; n < count; n++) await doomed.ask({ do: 'dispatch', definitionId: named(definitionId) });
      await doomed.ask({ do: 'holding', times: 2 * EACH + 1 });
      await doomed.ask({ do: 'advance', ms: BEGUN_MS });
      for (let n = 0; n < EACH; n++) await doomed.ask({ do: 'dispatch', definitionId: named('fresh') });
      await doomed.ask({ do: 'holding', times: ALL });
      const planId = await doomed.ask<string>({ do: 'cancelAll', definitionId: named('cancelled') });
      // Its batch is claimed as it is cut.
      await until(
        () => doomed.ask<BulkPlan>({ do: 'plan', planId }),
        ({ selected }) => selected > 0,
      );
      return planId;
    }

    async function goesOn(node: Node, rounds: number, isDone?: () => Promise<boolean>): Promise<void> {
      for (let round = 0; round < rounds && !(await isDone?.()); round++) {
        await node.ask({ do: 'round' });
        await node.ask({ do: 'advance', ms: ROUND_MS });
      }
    }

    async function takeOver(planId: string, ...others: Node[]): Promise<void> {
      const isDone = async () => {
        const { status } = await others[0]!.ask<BulkPlan>({ do: 'plan', planId });
        return status === 'Completed' && (await executions()).every((what) => what.includes('done'));
      };
      await Promise.all(others.map((node) => goesOn(node, MOST_ROUNDS, isDone)));
      // What the last effect belongs to is stored.
      for (const node of others) await node.ask({ do: 'round' });
    }

    const executions = async () => {
      const times: Record<string, string[]> = {};
      for (const text of (await readFile(effects, 'utf8')).trim().split('\n')) {
        const [id, what] = text.split(' ') as [string, string];
        (times[id] ??= []).push(what);
      }
      return Object.values(times);
    };
    const endsOf = (node: Node, definitionId: string) =>
      node.ask<End[]>({ do: 'ends', definitionId: named(definitionId) });

    async function expectAllEnded(node: Node, planId: string): Promise<void> {
      // Each was executed once by the dead node, and once more; nothing twice by the other.
      expect(await executions()).toEqual(Array.from({ length: ALL }, () => ['held', 'done']));
      for (const [definitionId, count] of Object.entries(HELD)) {
        const [status, after] = definitionId === 'cancelled' ? ['Cancelled', 0] : ['Finished', 1];
        const ends = (await endsOf(node, definitionId)).map(([, ...end]) => end);
        expect([definitionId, ends]).toEqual([definitionId, Array.from({ length: count }, () => [status, after])]);
      }
      expect(await node.ask({ do: 'plan', planId })).toMatchObject({ status: 'Completed', selected: 1, changed: 1 });
    }

    itOnLinux(
      'W2, W8: leaves all that it had claimed to another node at once, but nothing while it is only stopped',
      async () => {
        const doomed = await spawned({ holds: true });
        const planId = await begunOn(doomed);
        const other = await spawned({ now: T0 + BEGUN_MS });
        doomed.signal('SIGSTOP');
        await goesOn(other, STOPPED_ROUNDS);
        expect(await executions()).toEqual(Array.from({ length: ALL }, () => ['held']));
        await doomed.kill();
        await takeOver(planId, other);
        await expectAllEnded(other, planId);
      },
      PROCESS_TEST_MS,
    );

    itOnLinux(
      'W2, W8: leaves it to one that is started in its place under the same name, and to another one beside it, each part once',
      async () => {
        const doomed = await spawned({ holds: true, nodeName: 'the-node' });
        const planId = await begunOn(doomed);
        const now = T0 + BEGUN_MS;
        const beside = await spawned({ now });
        await doomed.kill();
        const next = await spawned({ now, nodeName: 'the-node' });
        await takeOver(planId, next, beside);
        await expectAllEnded(next, planId);
      },
      PROCESS_TEST_MS,
    );
  },
);
