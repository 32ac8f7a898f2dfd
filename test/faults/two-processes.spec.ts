import { afterAll, describe, expect, it } from '@jest/globals';
import type { RunInstanceResult } from '@waymark/runtime';
import { describeBackends, type TestBackend, testBackends } from '../support/backends.js';
import { line, literal, sequence, waitFor } from '../support/runtime-node.js';
import { spawnNode } from '../support/spawn-node.js';

const backends = await testBackends();
process.stdout.write(`two processes: ${describeBackends(backends)}`);
const shared = backends.available.filter((b): b is TestBackend & { url: string } => b.url !== undefined);

const RESUMES_PER_PROCESS = 100;
const PROCESS_TEST_MS = 120_000;
const LOSING = ['WM3003', 'WM3004', 'WM7002'];

interface State {
  subStatus: string;
  completed: string[];
}

describe.each(shared)('two processes on $name', ({ url, tablePrefix, drop }) => {
  afterAll(() => drop());
  const settings = { url, tablePrefix };

  it(
    'W2: of 200 concurrent resumes of one bookmark exactly one wins',
    async () => {
      const first = await spawnNode(settings);
      const second = await spawnNode(settings);
      try {
        expect(
          await first.ask({
            do: 'deploy',
            definitionId: 'race',
            root: sequence('S', waitFor('Wait', 'go'), line('After', 'x')),
          }),
        ).toEqual([]);
        const { bookmarks, workflowInstanceId } = await first.ask<RunInstanceResult>({ do: 'run', definition: 'race' });
        const resume = { do: 'resume', bookmarkId: bookmarks[0]!.id, times: RESUMES_PER_PROCESS } as const;
        const answers = (await Promise.all([first.ask<string[]>(resume), second.ask<string[]>(resume)])).flat();
        expect(answers.filter((a) => a === 'won')).toHaveLength(1);
        expect(answers.filter((a) => a !== 'won' && !LOSING.includes(a))).toEqual([]);
        const state = await second.ask<State>({ do: 'state', instanceId: workflowInstanceId });
        expect([state.subStatus, state.completed.filter((id) => id === 'After')]).toEqual(['Finished', ['After']]);
      } finally {
        await first.kill();
        await second.kill();
      }
    },
    PROCESS_TEST_MS,
  );

  it(
    'W8: what a killed process was waiting for goes on in the next one',
    async () => {
      const delay = { type: 'Elsa.Delay', id: 'Hour', timeSpan: literal('01:00:00', 'TimeSpan') };
      const killed = await spawnNode(settings);
      await killed.ask({
        do: 'deploy',
        definitionId: 'story',
        root: sequence('S', waitFor('Wait', 'signed'), line('Signed', 'x'), delay, line('Later', 'y')),
      });
      const { workflowInstanceId } = await killed.ask<RunInstanceResult>({ do: 'run', definition: 'story' });
      await killed.kill();

      const next = await spawnNode(settings);
      expect(await next.ask({ do: 'publish', event: 'signed' })).toBe(1);
      await next.kill();

      // The delay falls due while nobody is there; this node is started two hours later.
      const late = await spawnNode({ ...settings, aheadMs: 2 * 3_600_000 });
      try {
        let state: State;
        do state = await late.ask<State>({ do: 'state', instanceId: workflowInstanceId });
        while (state.subStatus === 'Suspended');
        expect(state).toEqual({
          subStatus: 'Finished',
          completed: ['Wait', 'Signed', 'Hour', 'Later', 'S', 'Workflow1'],
        });
      } finally {
        await late.kill();
      }
    },
    PROCESS_TEST_MS,
  );
});
