import { Logger } from '@nestjs/common';
import { WorkflowLogger } from '@waymark/runtime/adapter';
import { Cluster, HOUR, MINUTE, SECOND, T0 } from './cluster-harness.spec.js';

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(undefined as never));

describe('trouble', () => {
  it('continues after an occurrence that the activation strategy refuses', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    cluster.start().onStart = async () => ({ cannotStart: true });
    await cluster.clock.advance(MINUTE);
    expect(cluster.fired).toEqual([]);
    expect((await cluster.trigger('t'))!.dueAt).toEqual(new Date(T0 + 2 * MINUTE));
  });

  it('tries again with growing pauses, loses nothing, and lets others pass', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(1);
    const cluster = new Cluster({ concurrency: 1 });
    await cluster.timer('sick', 10 * SECOND);
    await cluster.timer('well', 10 * SECOND + 1);
    const attempts: number[] = [];
    cluster.start().onStart = async ({ firing }) => {
      if (firing!.triggerId !== 'sick') return undefined;
      attempts.push((cluster.clock.now() - T0) / SECOND);
      if (attempts.length < 5) throw new Error('broken');
      return undefined;
    };
    await cluster.clock.advance(29 * SECOND);
    random.mockRestore();
    expect(attempts).toEqual([10, 11, 13, 17, 25]);
    expect(cluster.firedSeconds('sick')).toEqual([10]);
    expect(cluster.firedSeconds('well')).toEqual([10.001, 20.001 + 0.001].map((s) => expect.closeTo(s, 2)));
    expect((await cluster.trigger('sick'))!.dueAt).toEqual(new Date(T0 + 30 * SECOND));
  });

  it('is logged with its stack once, and with the number of attempts each hour, while the same error repeats', async () => {
    const lines: string[] = [];
    const warn = jest
      .spyOn(WorkflowLogger.prototype, 'warn')
      .mockImplementation((line) => void lines.push(String(line)));
    const cluster = new Cluster();
    await cluster.startAt('damaged', T0 + SECOND);
    let error = new Error('cannot be read');
    cluster.start().onStart = async () => {
      throw error;
    };
    await cluster.clock.advance(3 * HOUR - MINUTE);
    error = new Error('another one');
    await cluster.clock.advance(10 * MINUTE);
    warn.mockRestore();
    const [first, ...others] = lines.map((line) => line.replaceAll(/\n\s+at .*/gs, ' (stack)'));
    expect(first).toMatch(/failed \(attempt 1\).*cannot be read.*\(stack\)/);
    expect(others).toHaveLength(3);
    for (const line of others.slice(0, 2)) expect(line).toMatch(/failed \(attempt \d\d\).*: cannot be read$/);
    expect(others[2]).toMatch(/another one.*\(stack\)/);
  });

  it('is not held up by more failing rows than it fires at a time', async () => {
    const cluster = new Cluster({ concurrency: 2 });
    for (let i = 0; i < 20; i++) await cluster.startAt(`sick${i}`, T0 + SECOND);
    await cluster.startAt('well', T0 + 2 * SECOND);
    cluster.start().onStart = async ({ firing }) => {
      if (firing!.triggerId !== 'well') throw new Error('broken');
      return undefined;
    };
    await cluster.clock.advance(3 * SECOND);
    expect(cluster.fired).toEqual(['well@2000']);
  });

  it('does not start twice when only the answer of the store was lost', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    await cluster.delay('b', MINUTE);
    cluster.start().mishaps = ['loses the answer', 'loses the answer'];
    await cluster.clock.advance(MINUTE + 30 * SECOND);
    expect(cluster.fired.toSorted()).toEqual(['b@60000', 't@60000']);
  });

  it('continues when the store can be read again', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    const node = cluster.start();
    await cluster.clock.advance(59 * SECOND);
    const { triggers } = cluster.store;
    const findDue = triggers.findDue.bind(triggers);
    triggers.findDue = () => Promise.reject(new Error('no connection'));
    await cluster.clock.advance(6 * SECOND);
    expect(cluster.fired).toEqual([]);
    triggers.findDue = findDue;
    await cluster.clock.advance(4 * SECOND);
    expect(cluster.firedSeconds('t')).toEqual([60]);
    await node.runner.stop();
  });

  it('asks a paused runtime again every second', async () => {
    const cluster = new Cluster();
    await cluster.delay('b', MINUTE);
    cluster.start().mishaps = ['is refused', 'is refused', 'is refused'];
    await cluster.clock.advance(MINUTE + 5 * SECOND);
    expect(cluster.attempts.map((time) => (time - T0) / SECOND)).toEqual([60, 61, 62, 63]);
    expect(cluster.fired).toEqual(['b@60000']);
  });

  it('finds the schedules of a node that died before it could set a timer', async () => {
    const cluster = new Cluster();
    cluster.start();
    await cluster.clock.advance(SECOND);
    await cluster.delay('b', SECOND); // by another node: nobody tells this one
    await cluster.clock.advance(30 * SECOND);
    expect(cluster.fired).toEqual(['b@2000']);
  });

  it('does not repeatedly fire a row that stays due although it was fired', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    let starts = 0;
    cluster.start().onStart = async () => {
      starts++;
      return { cannotStart: false }; // without moving the trigger on
    };
    await cluster.clock.advance(MINUTE + 10 * SECOND);
    expect(starts).toBeLessThan(6);
  });

  it('leaves alone the nodes that do not fire', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    cluster.start(1, { enabled: false });
    await cluster.clock.advance(HOUR);
    expect(cluster.fired).toEqual([]);
  });

  it('does not fire a trigger again while this node is still starting its workflow', async () => {
    // At each of its seconds time waits so long for the start.
    const cluster = new Cluster({}, 2);
    await cluster.timer('t', SECOND);
    let release = (): void => {};
    cluster.start().onStart = () => new Promise((resolve) => (release = () => resolve(undefined)));
    await cluster.clock.advance(2 * MINUTE);
    expect(cluster.attempts).toHaveLength(1);
    release();
    await cluster.clock.advance(0);
    expect(cluster.firedSeconds('t')).toEqual([1]);
  });
});

describe('shutdown', () => {
  it('waits for what is being fired, and fires nothing more', async () => {
    const cluster = new Cluster();
    await cluster.startAt('s', T0 + SECOND);
    await cluster.delay('later', 2 * SECOND);
    let release = (): void => {};
    const node = cluster.start();
    node.onStart = () => new Promise((resolve) => (release = () => resolve(undefined)));
    const moved = cluster.clock.advance(SECOND);
    while (cluster.attempts.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const stopped = node.runner.stop();
    release();
    await stopped;
    expect(cluster.fired).toEqual(['s@1000']);
    await moved;
    await cluster.clock.advance(HOUR);
    expect(cluster.fired).toEqual(['s@1000']);
  });
});
