import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunInstanceResult } from '@waymark/runtime';
import { testBackends } from '../support/backends.js';
import { amountOf } from '../support/depth.js';
import { describeInTurnAfterQuickOn } from '../support/describe-on.js';
import { line, literal, sequence, startedBy, waitFor } from '../support/runtime-node.js';
import { type SpawnedNode, spawnNode } from '../support/spawn-node.js';
import { until } from '../support/until.js';

const PER_PROCESS = amountOf(500, 4);
const ROUNDS = amountOf(20, 2);
const AT_ONCE = 10;
const PROCESS_TEST_MS = 180_000;
const LOSING = ['WM3003', 'WM3004', 'WM7002'];

const SINGLETON = 'Elsa.Workflows.Runtime.ActivationValidators.SingletonStrategy, Elsa.Workflows.Runtime';

interface State {
  subStatus: string;
  /** Rows of bookmarks. */
  waiting: number;
  completed: string[];
}

const databases = await testBackends('sqlite', 'mysql', 'postgres');

describeInTurnAfterQuickOn(databases, 'two processes on $name', ({ url, tablePrefix, drop }) => {
  afterAll(() => drop());
  const settings = { url, tablePrefix };
  let first: SpawnedNode;
  let second: SpawnedNode;

  beforeAll(async () => {
    [first, second] = await Promise.all([spawnNode(settings), spawnNode(settings)]);
  }, PROCESS_TEST_MS);
  afterAll(() => Promise.all([first, second].map((node) => node?.kill())));

  describe('at the same time', () => {
    it(
      'W2: exactly one of hundreds of concurrent resumes of one bookmark wins',
      async () => {
        expect(
          await first.ask({
            do: 'deploy',
            definitionId: 'race',
            root: sequence('S', waitFor('Wait', 'go'), line('After', 'x')),
          }),
        ).toEqual([]);
        const { bookmarks, workflowInstanceId } = await first.ask<RunInstanceResult>({ do: 'run', definition: 'race' });
        const resume = { do: 'resume', bookmarkId: bookmarks[0]!.id, times: PER_PROCESS } as const;
        const answers = (await Promise.all([first.ask<string[]>(resume), second.ask<string[]>(resume)])).flat();
        expect(answers.filter((a) => a === 'won')).toHaveLength(1);
        expect(answers.filter((a) => a !== 'won' && !LOSING.includes(a))).toEqual([]);
        const state = await second.ask<State>({ do: 'state', instanceId: workflowInstanceId });
        expect([state.subStatus, state.waiting, state.completed.filter((id) => id === 'After')]).toEqual([
          'Finished',
          0,
          ['After'],
        ]);
      },
      PROCESS_TEST_MS,
    );

    it(
      'exactly one of hundreds of concurrent starts under Singleton wins',
      async () => {
        const options = { activationStrategyType: SINGLETON };
        const root = sequence('S', waitFor('Wait', 'never'));
        expect(await first.ask({ do: 'deploy', definitionId: 'only', root, options })).toEqual([]);
        const start = { do: 'startMany', definition: 'only', times: PER_PROCESS } as const;
        const won = await Promise.all([first.ask<number>(start), second.ask<number>(start)]);
        expect(won[0]! + won[1]!).toBe(1);
        // Nor did those that lost leave anything.
        expect(await second.ask<number>({ do: 'count', definitionId: 'only' })).toBe(1);
      },
      PROCESS_TEST_MS,
    );

    it(
      'lets one of a cancellation and a resume win, never both',
      async () => {
        const root = sequence('S', waitFor('Wait', 'go'), line('After', 'x'));
        expect(await first.ask({ do: 'deploy', definitionId: 'cancel-race', root })).toEqual([]);
        for (let round = 0; round < ROUNDS; round++) {
          const run = { do: 'run', definition: 'cancel-race' } as const;
          const { bookmarks, workflowInstanceId: instanceId } = await first.ask<RunInstanceResult>(run);
          // Each node is the one that cancels, in turn.
          const [resuming, cancelling] = round % 2 ? [first, second] : [second, first];
          const [[resumed], cancelled] = await Promise.all([
            resuming.ask<[string]>({ do: 'resume', bookmarkId: bookmarks[0]!.id, times: 1 }),
            cancelling.ask<boolean>({ do: 'cancel', instanceId }),
          ]);
          const { subStatus, waiting, completed } = await second.ask<State>({ do: 'state', instanceId });
          const end = { subStatus, waiting, cancelled, won: resumed === 'won', ran: completed.includes('After') };
          expect([
            { subStatus: 'Cancelled', waiting: 0, cancelled: true, won: false, ran: false },
            { subStatus: 'Finished', waiting: 0, cancelled: false, won: true, ran: true },
          ]).toContainEqual(end);
        }
      },
      PROCESS_TEST_MS,
    );

    it(
      'W6: publishes during a stream of events: each starts one instance, of one version',
      async () => {
        const version = (n: number) => ({
          do: 'deploy' as const,
          definitionId: 'flying',
          root: sequence('S', waitFor('Start', 'take-off', startedBy), line(`Version${n}`, 'x')),
        });
        expect(await first.ask(version(1))).toEqual([]);
        let isPublishing = true;
        const publishOn = async (node: SpawnedNode) => {
          let sent = 0;
          for (; isPublishing; sent += AT_ONCE)
            expect(await node.ask<number[]>({ do: 'publishMany', event: 'take-off', times: AT_ONCE })).toEqual(
              Array.from({ length: AT_ONCE }, () => 1),
            );
          return sent;
        };
        const events = [publishOn(first), publishOn(second)];
        for (let n = 2; n <= ROUNDS; n++) expect(await first.ask(version(n))).toEqual([]);
        isPublishing = false;
        const sent = (await Promise.all(events)).reduce((sum, count) => sum + count, 0);
        const counts = await first.ask<Record<string, number>>({ do: 'versions', definitionId: 'flying' });
        expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(sent);
        expect(Object.keys(counts).length).toBeGreaterThan(1);
      },
      PROCESS_TEST_MS,
    );

    it(
      'W6: publishes during a stream of HTTP requests: each is answered by one version, and at once by the new one on its node',
      async () => {
        const version = (n: number) => ({
          do: 'deploy' as const,
          definitionId: 'landing',
          root: sequence(
            'S',
            { type: 'Elsa.HttpEndpoint', id: 'In', path: literal('landing'), ...startedBy },
            { type: 'Elsa.WriteHttpResponse', id: 'Out', content: literal(`version ${n}`, 'Object') },
          ),
        });
        const request = (node: SpawnedNode, times: number) =>
          node.ask<string[]>({ do: 'fetch', path: 'landing', times });
        expect(await first.ask(version(1))).toEqual([]);
        const answers: string[] = [];
        // The other node learns of a new path within its poll interval.
        const landed = await until(
          () => request(second, 1),
          ([answer]) => answer === '200 version 1',
        );
        answers.push(...landed);
        let isPublishing = true;
        const requestOn = async (node: SpawnedNode) => {
          while (isPublishing) answers.push(...(await request(node, AT_ONCE)));
        };
        const requests = [requestOn(first), requestOn(second)];
        for (let n = 2; n <= ROUNDS; n++) {
          expect(await first.ask(version(n))).toEqual([]);
          const answer = await request(first, 1);
          expect(answer).toEqual([`200 version ${n}`]);
          answers.push(...answer);
        }
        isPublishing = false;
        await Promise.all(requests);

        const served = answers.slice(answers.indexOf('200 version 1'));
        const counts: Record<string, number> = {};
        for (const answer of served) {
          const number = /^200 version (\d+)$/.exec(answer)?.[1] ?? answer;
          counts[number] = (counts[number] ?? 0) + 1;
        }
        // Whoever answered is who was stored: no answer without its instance, and no other version than it says.
        expect(await second.ask({ do: 'versions', definitionId: 'landing' })).toEqual(counts);
        expect(Object.keys(counts)).toHaveLength(ROUNDS);
      },
      PROCESS_TEST_MS,
    );
  });

  it(
    'W8: what a killed process was waiting for continues in the next one',
    async () => {
      const delay = { type: 'Elsa.Delay', id: 'Hour', timeSpan: literal('01:00:00', 'TimeSpan') };
      await first.ask({
        do: 'deploy',
        definitionId: 'story',
        root: sequence('S', waitFor('Wait', 'signed'), line('Signed', 'x'), delay, line('Later', 'y')),
      });
      const { workflowInstanceId } = await first.ask<RunInstanceResult>({ do: 'run', definition: 'story' });
      await Promise.all([first.kill(), second.kill()]);

      const next = await spawnNode(settings);
      expect(await next.ask({ do: 'publish', event: 'signed' })).toBe(1);
      await next.kill();

      // The delay falls due while nobody is there; this node is started two hours later.
      const late = await spawnNode({ ...settings, aheadMs: 2 * 3_600_000 });
      try {
        expect(await late.ask<State>({ do: 'end', instanceId: workflowInstanceId })).toEqual({
          subStatus: 'Finished',
          waiting: 0,
          completed: ['Wait', 'Signed', 'Hour', 'Later', 'S', 'Workflow1'],
        });
      } finally {
        await late.kill();
      }
    },
    PROCESS_TEST_MS,
  );
});
