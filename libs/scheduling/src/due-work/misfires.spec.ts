import { Logger } from '@nestjs/common';
import type { StartWorkflowResponse } from '@waymark/runtime';
import { Cluster, HOUR, MINUTE, type Node, SECOND, T0 } from './cluster-harness.spec.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(undefined as never));

const lastFiring = async (cluster: Cluster, id: string) => (await cluster.trigger(id))!.lastFiring;

/** Starts that take so long. */
const slow = (cluster: Cluster, ms: number) => () =>
  new Promise<StartWorkflowResponse | undefined>((resolve) => cluster.clock.setTimer(() => resolve(undefined), ms));

describe("the misfire policy 'skip'", () => {
  it('runs what is only late because there was much to do', async () => {
    const cluster = new Cluster({ concurrency: 1, pollIntervalMs: 10 * SECOND });
    for (let n = 1; n <= 5; n++) await cluster.cron(`c${n}`, '1 0 * * *');
    cluster.start().onStart = slow(cluster, 50 * SECOND);
    await cluster.clock.advance(10 * MINUTE);
    expect(cluster.fired.toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `c${n}@60000`));
    for (let n = 1; n <= 5; n++) expect(await lastFiring(cluster, `c${n}`)).toMatchObject({ result: 'Started' });
  });

  const breaks: readonly [string, (cluster: Cluster, node: Node, ms: number) => Promise<void>][] = [
    [
      'the store was out of reach',
      async ({ clock }, node, ms) => {
        node.isCutOff = true;
        await clock.advance(ms);
        node.isCutOff = false;
      },
    ],
    [
      'the store refused writes',
      async ({ clock }, node, ms) => {
        node.refused = ['claim', 'advance', 'checkWritable', 'commit', 'claimDue'];
        await clock.advance(ms);
        node.refused = [];
      },
    ],
    [
      'the runtime was paused',
      async ({ clock }, node, ms) => {
        node.gate.pause();
        await clock.advance(ms);
        node.gate.resume();
      },
    ],
    ['the machine was suspended', ({ clock }, _node, ms) => clock.setTime(clock.now() + ms)],
  ];

  it.each(breaks)('leaves out what was missed while %s, and records it', async (_, during) => {
    const cluster = new Cluster();
    cluster.startsByMessage = true;
    await cluster.cron('missed', '2 * * * *');
    await cluster.cron('hardly', '9 * * * *');
    await cluster.cron('later', '12 * * * *');
    const node = cluster.start();
    await cluster.clock.advance(MINUTE);
    await during(cluster, node, 8 * MINUTE + 30 * SECOND);
    await cluster.clock.advance(10 * SECOND);
    expect(cluster.fired).toEqual([`hardly@${9 * MINUTE}`]);
    expect(await cluster.trigger('missed')).toMatchObject({
      dueAt: new Date(T0 + HOUR + 2 * MINUTE),
      lastFiring: { dueAt: new Date(T0 + 2 * MINUTE), result: 'Missed' },
    });
    await cluster.clock.advance(HOUR);
    expect(cluster.firedSeconds('missed')).toEqual([62 * 60]);
    expect(cluster.firedSeconds('later')).toEqual([12 * 60]);
  });

  it('leaves out what was missed, however much there is to do afterwards', async () => {
    const cluster = new Cluster({ concurrency: 1, pollIntervalMs: 10 * SECOND });
    for (const [id, cron] of [
      ['m', '2 * * * *'],
      ['h1', '9 * * * *'],
      ['h2', '9 * * * *'],
      ['h3', '9 * * * *'],
    ] as const)
      await cluster.cron(id, cron);
    const node = cluster.start();
    node.onStart = slow(cluster, 50 * SECOND);
    await cluster.clock.advance(MINUTE);
    await breaks[0]![1](cluster, node, 8 * MINUTE + 30 * SECOND);
    await cluster.clock.advance(10 * MINUTE);
    expect(cluster.fired.toSorted()).toEqual(['h1', 'h2', 'h3'].map((id) => `${id}@${9 * MINUTE}`));
    expect(await lastFiring(cluster, 'm')).toMatchObject({ result: 'Missed' });
  });

  it('leaves out what has failed until it was late', async () => {
    const cluster = new Cluster();
    await cluster.cron('sick', '1 * * * *');
    const node = cluster.start();
    node.onStart = () => Promise.reject(new Error('broken'));
    await cluster.clock.advance(10 * MINUTE);
    expect(await cluster.trigger('sick')).toMatchObject({
      dueAt: new Date(T0 + HOUR + MINUTE),
      lastFiring: { result: 'Missed' },
    });
  });
});
