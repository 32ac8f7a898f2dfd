import { Logger } from '@nestjs/common';
import { Cluster, HOUR, MINUTE, SECOND, T0 } from './cluster-harness.spec.js';

// A node whose clock is an hour off notices it: the clock of the store was set, and now it has the same time again.
describe.each([
  ['back', HOUR],
  ['ahead', -HOUR],
])('a clock that is set %s by an hour', (_direction, offMs) => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));

  it('W4: makes nothing that is due later than it is, nor twice', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', 20 * SECOND);
    await cluster.delay('b', 20 * SECOND);
    const node = cluster.start();
    node.set(offMs);
    await cluster.clock.advance(19 * SECOND + 500);
    node.set(0);
    await cluster.clock.advance(5 * SECOND);
    expect(cluster.fired.toSorted()).toEqual(['b@20000', 't@20000']);
    await cluster.clock.advance(16 * SECOND);
    expect(cluster.fired.toSorted()).toEqual(['b@20000', 't@20000', 't@40000']);
  });

  it('is noticed by a node that has nothing to do', async () => {
    const cluster = new Cluster();
    const node = cluster.start();
    await cluster.clock.advance(10 * SECOND);
    expect([...node.heardOff]).toEqual([0]);
    node.aheadMs = offMs;
    await cluster.clock.advance(2 * SECOND);
    expect([...node.heardOff]).toEqual([0, offMs]);
  });

  it('does not prolong the pause after a failure', async () => {
    const cluster = new Cluster();
    await cluster.startAt('s', T0 + SECOND);
    const node = cluster.start();
    node.set(offMs);
    node.onStart = () => Promise.reject(new Error('not now'));
    await cluster.clock.advance(10 * SECOND);
    node.onStart = undefined;
    node.set(0);
    await cluster.clock.advance(MINUTE);
    expect(cluster.fired).toEqual(['s@1000']);
  });
});
