import { Logger } from '@nestjs/common';
import type { SchedulingOptions } from '../module/scheduling-options.js';
import { Cluster, DAY, HOUR, MINUTE, type Node, SECOND, T0 } from './cluster-harness.spec.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(undefined as never));

describe('one firing per occurrence (W4)', () => {
  it.each([1, 10])('starts one workflow per interval on %d nodes', async (nodes) => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    cluster.start(nodes);
    await cluster.clock.advance(10 * MINUTE);
    expect(cluster.firedSeconds('t')).toEqual([60, 120, 180, 240, 300, 360, 420, 480, 540, 600]);
  });

  it.each([1, 10])('resumes a waiting instance once on %d nodes', async (nodes) => {
    const cluster = new Cluster();
    for (let i = 0; i < 50; i++) await cluster.delay(`b${i}`, 5 * SECOND + i);
    cluster.start(nodes);
    await cluster.clock.advance(MINUTE);
    expect(cluster.fired).toHaveLength(50);
    expect(new Set(cluster.fired).size).toBe(50);
  });

  it.each([2, 10])('resumes a waiting instance on only one of %d nodes', async (nodes) => {
    const cluster = new Cluster();
    for (let i = 0; i < 50; i++) await cluster.delay(`b${i}`, 5 * SECOND);
    cluster.start(nodes);
    await cluster.clock.advance(MINUTE);
    expect([cluster.fired.length, cluster.attempts.length]).toEqual([50, 50]);
    expect(new Set(cluster.attempts)).toEqual(new Set([T0 + 5 * SECOND]));
  });

  it('fires at the very time, not at the next poll', async () => {
    const cluster = new Cluster();
    cluster.start(3);
    await cluster.delay('b', 12_345);
    await cluster.clock.advance(12_344);
    expect(cluster.fired).toEqual([]);
    await cluster.clock.advance(1);
    expect(cluster.fired).toEqual(['b@12345']);
  });

  it('waits 100 days', async () => {
    const cluster = new Cluster({ pollIntervalMs: DAY });
    cluster.start(2);
    await cluster.delay('b', 100 * DAY + 1);
    await cluster.startAt('s', T0 + 99 * DAY);
    await cluster.clock.advance(99 * DAY - 1);
    expect(cluster.fired).toEqual([]);
    await cluster.clock.advance(DAY);
    expect(cluster.fired).toEqual([`s@${99 * DAY}`]);
    await cluster.clock.advance(2);
    expect(cluster.fired).toEqual([`s@${99 * DAY}`, `b@${100 * DAY + 1}`]);
  });

  it('fires a StartAt once, whatever is restarted afterwards', async () => {
    const cluster = new Cluster();
    await cluster.startAt('s', T0 + MINUTE);
    const first = cluster.start();
    await cluster.clock.advance(2 * MINUTE);
    await first.runner.stop();
    cluster.start(3);
    await cluster.clock.advance(HOUR);
    expect(cluster.firedSeconds('s')).toEqual([60]);
    expect((await cluster.trigger('s'))!.dueAt).toBeNull();
  });

  it('fires several timers of one workflow, each at its own pace', async () => {
    const cluster = new Cluster();
    await cluster.timer('t2', 2 * SECOND);
    await cluster.timer('t3', 3 * SECOND);
    cluster.start();
    await cluster.clock.advance(6 * SECOND);
    expect([cluster.firedSeconds('t2'), cluster.firedSeconds('t3')]).toEqual([
      [2, 4, 6],
      [3, 6],
    ]);
  });

  it('stops with the row', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    cluster.start(2);
    await cluster.clock.advance(MINUTE);
    await cluster.store.definitions.apply({ saved: [], deletedIds: [], addedTriggers: [], removedTriggerIds: ['t'] });
    await cluster.clock.advance(HOUR);
    expect(cluster.firedSeconds('t')).toEqual([60]);
  });

  it('keeps its rhythm when the workflow is published again', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', 10 * MINUTE);
    cluster.start(2);
    for (let i = 0; i < 20; i++) {
      await cluster.clock.advance(4 * MINUTE);
      await cluster.timer('t', 10 * MINUTE);
    }
    expect(cluster.firedSeconds('t')).toEqual([600, 1200, 1800, 2400, 3000, 3600, 4200, 4800]);
  });
});

describe('the node that resumes', () => {
  const held = (node: Node): { release: () => void; attempts: number } => {
    const hold = { release: (): void => {}, attempts: 0 };
    node.onResume = () => {
      hold.attempts++;
      return new Promise((resolve) => (hold.release = resolve));
    };
    return hold;
  };

  it('is replaced by another one when it dies, at the end of its claim and not at a poll', async () => {
    const cluster = new Cluster({ pollIntervalMs: HOUR });
    await cluster.delay('b', MINUTE);
    const first = cluster.start();
    first.mishaps = ['dies before it'];
    await cluster.clock.advance(MINUTE);
    expect([first.isDead, cluster.fired]).toEqual([true, []]);
    cluster.start(3);
    await cluster.clock.advance(10 * SECOND - 1);
    expect(cluster.fired).toEqual([]);
    await cluster.clock.advance(1);
    expect([cluster.fired, cluster.attempts.length]).toEqual([['b@60000'], 2]);
  });

  it('claims for longer what it has been resuming for a while', async () => {
    const cluster = new Cluster({ pollIntervalMs: HOUR });
    await cluster.delay('b', MINUTE);
    const first = cluster.start();
    held(first);
    await cluster.clock.advance(MINUTE + 4 * SECOND);
    first.isDead = true;
    cluster.start(3);
    await cluster.clock.advance(30 * SECOND - 1);
    expect(cluster.fired).toEqual([]);
    await cluster.clock.advance(1);
    expect(cluster.fired).toEqual(['b@60000']);
  });

  it('keeps its claim on a burst that takes long', async () => {
    const cluster = new Cluster();
    await cluster.delay('b', SECOND);
    const hold = held(cluster.start());
    await cluster.clock.advance(2 * SECOND);
    cluster.start(3);
    await cluster.clock.advance(10 * MINUTE);
    expect([hold.attempts, cluster.attempts.length]).toEqual([1, 1]);
    hold.release();
    await cluster.clock.advance(0);
    expect(cluster.fired).toEqual(['b@1000']);
  });

  it('is not asked by a message to resume what it resumes still, when its claim has ended before it was renewed', async () => {
    // Each second of two minutes waits as long for the start that is held.
    const cluster = new Cluster({}, 1);
    await cluster.delay('b', SECOND);
    const node = cluster.start();
    const hold = held(node);
    await cluster.clock.advance(2 * SECOND);
    node.refused = ['renewClaims'];
    await cluster.clock.advance(MINUTE);
    node.refused = [];
    await cluster.clock.advance(MINUTE);
    expect([hold.attempts, cluster.attempts.length]).toEqual([1, 1]);
    hold.release();
    await cluster.clock.advance(0);
    expect(cluster.fired).toEqual(['b@1000']);
  });

  it('is asked for less and less often while its message waits, as where no node has the code', async () => {
    const cluster = new Cluster();
    await cluster.delay('b', SECOND);
    const first = cluster.start();
    held(first);
    await cluster.clock.advance(2 * SECOND);
    first.isDead = true;
    const next = cluster.start();
    next.messagesWait = true;
    await cluster.clock.advance(MINUTE);
    expect(next.asked).toBe(3);
    await cluster.clock.advance(59 * MINUTE);
    expect(next.asked).toBeLessThanOrEqual(20);
    next.messagesWait = false;
    await cluster.clock.advance(5 * MINUTE);
    expect(cluster.fired).toEqual(['b@1000']);
  });

  it('loses it to another one while it cannot reach the store, and the commit decides', async () => {
    const cluster = new Cluster();
    await cluster.delay('b', SECOND);
    const first = cluster.start();
    const hold = held(first);
    await cluster.clock.advance(2 * SECOND);
    first.isCutOff = true;
    cluster.start();
    await cluster.clock.advance(MINUTE);
    expect(cluster.fired).toEqual(['b@1000']);
    first.isCutOff = false;
    hold.release();
    await cluster.clock.advance(MINUTE);
    expect(cluster.fired).toEqual(['b@1000']);
    expect(first.runner.failureOf('bookmark', { id: 'b', dueAt: new Date(T0 + SECOND) })).toBeUndefined();
  });

  it('leaves out paused ones', async () => {
    const cluster = new Cluster();
    await cluster.delay('b', MINUTE);
    cluster.start().gate.pause();
    cluster.start();
    await cluster.clock.advance(MINUTE);
    expect(cluster.fired).toEqual(['b@60000']);
  });

  it('releases its claim after a failure, so that others may try after the pause', async () => {
    const cluster = new Cluster({ pollIntervalMs: 10 * SECOND });
    await cluster.delay('b', SECOND);
    const sick = cluster.start();
    sick.onResume = () => Promise.reject(new Error('broken'));
    await cluster.clock.advance(SECOND);
    await sick.runner.stop();
    cluster.start();
    await cluster.clock.advance(0);
    expect(cluster.fired).toEqual([]);
    await cluster.clock.advance(SECOND);
    expect(cluster.fired).toEqual(['b@1000']);
  });
});

describe('what a node had scheduled that was killed', () => {
  const LATEST = 2 * SECOND;
  /** Times of attempts so far, as milliseconds after T0. */
  const times = (cluster: Cluster): number[] => cluster.attempts.map((time) => time - T0);

  it('is resumed by another node at its time', async () => {
    const cluster = new Cluster();
    cluster.start();
    const victim = cluster.start();
    await cluster.clock.advance(5 * SECOND);
    await cluster.delay('b', 4 * SECOND); // by the victim: nobody tells the other one
    victim.isDead = true;
    await cluster.clock.advance(4 * SECOND);
    expect([cluster.fired, times(cluster)]).toEqual([['b@9000'], [9 * SECOND]]);
  });

  it('is late by less than two seconds even if it was due at once', async () => {
    const cluster = new Cluster();
    cluster.start();
    const victim = cluster.start();
    await cluster.clock.advance(5_300);
    for (const ms of [0, 1, 200, 900]) await cluster.delay(`b${ms}`, ms);
    victim.isDead = true;
    await cluster.clock.advance(LATEST);
    expect(cluster.fired.toSorted()).toEqual(['b0@5300', 'b1@5301', 'b200@5500', 'b900@6200']);
    expect(Math.max(...times(cluster))).toBeLessThan(5_300 + LATEST);
  });

  it('continues in its rhythm, every second', async () => {
    const cluster = new Cluster();
    const victim = cluster.start();
    cluster.start();
    await cluster.clock.advance(SECOND / 2);
    await cluster.cron('c', '* * * * * *');
    await cluster.timer('t', SECOND);
    victim.runner.wakeAt(T0 + SECOND);
    await cluster.clock.advance(3 * SECOND);
    victim.isDead = true;
    await cluster.clock.advance(5 * SECOND);
    expect(cluster.firedSeconds('c')).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(cluster.firedSeconds('t')).toEqual([1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5]);
  });

  it('is 1,000 delays and 20 crons: the two others serve each of them once and in time', async () => {
    const cluster = new Cluster();
    const [victim] = [cluster.start(), cluster.start(2)];
    const dueAt = Array.from({ length: 1000 }, (_, i) => 2 * SECOND + i * 20);
    for (const [i, ms] of dueAt.entries()) await cluster.delay(`b${i}`, ms);
    for (let i = 0; i < 20; i++) await cluster.cron(`c${i}`, '*/5 * * * * *');
    await cluster.clock.advance(7 * SECOND);
    victim.isDead = true;
    const crons = Array.from({ length: 20 }, (_, i) => [5, 10, 15, 20, 25].map((s) => `c${i}@${s * SECOND}`)).flat();
    const expected = [...dueAt.map((ms, i) => `b${i}@${ms}`), ...crons];
    for (let second = 8; second <= 27; second++) {
      await cluster.clock.advance(SECOND);
      const fired = new Set(cluster.fired);
      const isLate = (name: string) => Number(name.split('@')[1]) + LATEST <= second * SECOND && !fired.has(name);
      expect(expected.filter(isLate)).toEqual([]);
    }
    expect(cluster.fired.toSorted()).toEqual(expected.toSorted());
  });

  it('costs idle nodes one small query a second, however much is waiting', async () => {
    const cluster = new Cluster();
    for (let i = 0; i < 100; i++) await cluster.delay(`b${i}`, HOUR + i);
    await cluster.timer('t', 59 * MINUTE);
    const node = cluster.start();
    await cluster.clock.advance(SECOND);
    node.calls.length = 0;
    await cluster.clock.advance(MINUTE);
    expect([node.calls.length, new Set(node.calls)]).toEqual([60, new Set(['findNextDue'])]);
  });
});

describe('a claim whose answer was lost', () => {
  it('is taken again by its node at the next look', async () => {
    const cluster = new Cluster();
    for (let i = 0; i < 3; i++) await cluster.delay(`b${i}`, MINUTE);
    const node = cluster.start();
    cluster.start(2);
    await cluster.clock.advance(MINUTE - SECOND);
    node.losesAnswerTo = 'claimDue';
    await cluster.clock.advance(3 * SECOND);
    expect(node.losesAnswerTo).toBeUndefined();
    expect(cluster.fired).toHaveLength(3);
    expect(cluster.attempts).toHaveLength(3);
  });

  it('does not include bookmarks that the node is already resuming', async () => {
    const cluster = new Cluster();
    await cluster.delay('long', SECOND);
    const node = cluster.start();
    let release = (): void => {};
    node.onResume = (id) => (id === 'long' ? new Promise((resolve) => (release = resolve)) : Promise.resolve());
    await cluster.clock.advance(5 * SECOND);
    await cluster.delay('b', SECOND);
    node.losesAnswerTo = 'claimDue';
    await cluster.clock.advance(5 * SECOND);
    expect([node.losesAnswerTo, cluster.fired]).toEqual([undefined, ['b@6000']]);
    expect(cluster.attempts).toHaveLength(2);
    release();
    await cluster.clock.advance(0);
    expect(cluster.fired).toEqual(['b@6000', 'long@1000']);
  });
});

describe.each([11 * MINUTE, -11 * MINUTE])('a node whose clock is off by %d ms', (aheadMs) => {
  it('fires nothing too early, nothing twice, and everything in time', async () => {
    const cluster = new Cluster({ misfire: { timer: 'all', cron: 'all' } });
    await cluster.timer('t', 5 * SECOND);
    await cluster.cron('c', '*/10 * * * * *');
    await cluster.startAt('s', T0 + 5 * MINUTE);
    await cluster.delay('b', 5 * MINUTE);
    cluster.start();
    await cluster.clock.advance(7 * SECOND);
    const [node] = cluster.nodes;
    node!.aheadMs = aheadMs;
    await cluster.clock.advance(5 * MINUTE - 8 * SECOND);
    const until = (step: number, end: number) =>
      Array.from({ length: Math.floor(end / step) }, (_, i) => (i + 1) * step);
    expect(cluster.firedSeconds('t')).toEqual(until(5, 299));
    expect(cluster.firedSeconds('c')).toEqual(until(10, 299));
    expect([cluster.firedSeconds('s'), cluster.firedSeconds('b')]).toEqual([[], []]);
    await cluster.clock.advance(2 * SECOND);
    expect(cluster.firedSeconds('t')).toEqual(until(5, 301));
    expect([cluster.firedSeconds('s'), cluster.firedSeconds('b')]).toEqual([[300], [300]]);
    expect(node!.calls.length).toBeLessThan(2000);
  });

  it('fires occurrences that are in time, and skips late ones', async () => {
    const cluster = new Cluster({ misfire: { timer: 'skip', cron: 'skip' }, misfireThresholdMs: 2 * SECOND });
    await cluster.timer('t', 10 * SECOND);
    cluster.start().aheadMs = aheadMs;
    await cluster.clock.advance(60 * SECOND);
    expect(cluster.firedSeconds('t')).toEqual([10, 20, 30, 40, 50, 60]);
  });
});

describe('after time without any node', () => {
  async function downFor(
    ms: number,
    add: (cluster: Cluster) => Promise<void>,
    options: SchedulingOptions = {},
  ): Promise<Cluster> {
    const cluster = new Cluster(options);
    await add(cluster);
    await cluster.clock.setTime(T0 + ms);
    cluster.start(3);
    await cluster.clock.advance(0);
    return cluster;
  }
  const seconds = (cluster: Cluster): number[] => cluster.firedSeconds('x');
  const next = async (cluster: Cluster): Promise<number> =>
    ((await cluster.trigger('x'))!.dueAt!.getTime() - T0) / SECOND;

  it('a timer fires once and keeps its rhythm', async () => {
    const cluster = await downFor(3 * HOUR + 7 * SECOND, (c) => c.timer('x', 10 * MINUTE));
    expect([seconds(cluster), await next(cluster)]).toEqual([[600], 11_400]);
  });

  it('a cron waits for its next time', async () => {
    const cluster = await downFor(3 * HOUR + 7 * MINUTE, (c) => c.cron('x', '0 * * * *'));
    expect([seconds(cluster), await next(cluster)]).toEqual([[], 14_400]);
    await cluster.clock.advance(HOUR);
    expect(seconds(cluster)).toEqual([14_400]);
  });

  it('a cron whose time is hardly over fires', async () => {
    const cluster = await downFor(HOUR + 20 * SECOND, (c) => c.cron('x', '0 * * * *'));
    expect(seconds(cluster)).toEqual([3600]);
  });

  it('a cron with the policy "once" fires once', async () => {
    const cluster = await downFor(3 * HOUR + 7 * MINUTE, (c) => c.cron('x', '0 * * * *'), {
      misfire: { cron: 'once' },
    });
    expect([seconds(cluster), await next(cluster)]).toEqual([[3600], 14_400]);
  });

  it('everything with the policy "all" fires as often as it should have', async () => {
    const cluster = await downFor(35 * MINUTE, (c) => c.timer('x', 10 * MINUTE, { misfire: 'all' }));
    expect([seconds(cluster), await next(cluster)]).toEqual([[600, 1200, 1800], 2400]);
  });

  it('a StartAt and a delay fire late', async () => {
    const cluster = await downFor(3 * DAY, async (c) => {
      await c.startAt('x', T0 + MINUTE);
      await c.delay('b', MINUTE);
    });
    expect(cluster.fired.toSorted()).toEqual(['b@60000', 'x@60000']);
  });
});
