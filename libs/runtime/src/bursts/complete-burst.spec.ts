import type { WorkflowGraph } from '@waymark/core';
import { BurstRunner } from './burst-runner.js';
import { type CompleteBurst, firstBurst, withHooks } from './complete-burst.js';

const graph = {} as WorkflowGraph;
const begin = () => firstBurst('i', graph, { definition: 'd' });

describe('a complete burst', () => {
  it('receives its hooks in a copy with all members', () => {
    const named = Object.fromEntries(Object.keys(begin()).map((name) => [name, `its ${name}`]));
    const hooks = { onBegin: () => undefined, onCheckpoint: async () => undefined, commits: undefined };
    const hooked = withHooks(named as unknown as CompleteBurst, hooks);
    expect(hooked).toEqual({ ...named, ...hooks });
    expect(Object.keys(hooked)).toEqual(Object.keys(named));
  });

  it('is run with hooks, and is not changed by them', async () => {
    const ran: CompleteBurst[] = [];
    const run = (request: CompleteBurst) => {
      ran.push(request);
      return Promise.reject(new Error('of the burst'));
    };
    const collaborators = {
      engine: { runner: { runPaced: run } },
      commitStrategies: { forBurst: () => undefined },
      heartbeat: { delete: () => undefined },
      locks: { setBurst: () => undefined },
    };
    const { engine, commitStrategies, heartbeat, locks } = collaborators as never as Record<string, never>;
    const none = undefined as never;
    const runner = new BurstRunner(none, none, engine!, commitStrategies!, heartbeat!, none, locks!, none, none, none);
    const burst = Object.freeze(begin());
    await expect(runner.run(burst, undefined, {})).rejects.toThrow('of the burst');
    expect(ran[0]).toEqual({
      ...burst,
      onBegin: expect.any(Function),
      onCheckpoint: expect.any(Function),
    });
  });
});
