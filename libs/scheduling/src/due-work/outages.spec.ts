import { Logger } from '@nestjs/common';
import { CommitOutcomeUnknownError, StoreUnavailableError } from '@waymark/runtime';
import { Cluster, HOUR, MINUTE, type Node, SECOND, T0 } from './cluster-harness.spec.js';

describe('a store that is out for ten minutes', () => {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    const note = (text: unknown): void => void lines.push(String(text));
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(note);
    jest.spyOn(Logger.prototype, 'error').mockImplementation(note);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Starts and resumes fail, claims and reads do not: writes that are refused. */
  const refuseCommits = (nodes: readonly Node[]): void => {
    const refuse = (): Promise<never> => Promise.reject(new StoreUnavailableError('read-only'));
    for (const node of nodes) {
      node.onStart = node.onResume = refuse;
      node.refused = ['checkWritable', 'claimDue', 'releaseClaim', 'renewClaims'];
    }
  };
  const cutOff = (nodes: readonly Node[]): void => {
    for (const node of nodes) node.isCutOff = true;
  };
  const heal = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      node.onStart = node.onResume = undefined;
      node.isCutOff = false;
      node.refused = [];
    }
  };

  it.each([
    ['refuses writes', refuseCommits],
    ['is out of reach', cutOff],
  ])('W4: fires what became due within two seconds after it, once, and uncounted, when it %s', async (_, begin) => {
    const cluster = new Cluster({ pollIntervalMs: HOUR });
    for (let i = 0; i < 40; i++) await cluster.delay(`b${i}`, 5 * SECOND + i);
    await cluster.timer('t', 5 * SECOND);
    cluster.start(2);
    await cluster.clock.advance(SECOND);
    begin(cluster.nodes);
    await cluster.clock.advance(10 * MINUTE);
    expect(cluster.fired).toEqual([]);
    const due = { id: 't', dueAt: new Date(T0 + 5 * SECOND) };
    expect(cluster.nodes.map(({ runner }) => runner.failureOf('trigger', due))).toEqual([undefined, undefined]);

    heal(cluster.nodes);
    await cluster.clock.advance(2 * SECOND);
    expect(cluster.fired).toHaveLength(41);
    expect(new Set(cluster.fired).size).toBe(41);
    expect(lines.filter((line) => line.includes('The store failed.'))).toHaveLength(2);
    expect(lines).toHaveLength(2);
  });

  it('is asked by one probe, not by the timers', async () => {
    const cluster = new Cluster();
    for (let i = 0; i < 40; i++) await cluster.delay(`b${i}`, 5 * SECOND);
    const node = cluster.start();
    cutOff([node]);
    await cluster.clock.advance(MINUTE);
    node.calls.length = 0;
    await cluster.clock.advance(MINUTE);
    expect(new Set(node.calls)).toEqual(new Set(['checkWritable']));
    expect(node.calls.length).toBeLessThan(4 * 60);
  });

  it('W4: fires delays while the table of the triggers alone cannot be read, which is asked a few times in a second', async () => {
    const cluster = new Cluster({ pollIntervalMs: SECOND });
    for (let n = 1; n <= 5; n++) await cluster.delay(`b${n}`, n * SECOND);
    await cluster.timer('t', SECOND);
    const node = cluster.start();
    node.refused = ['findUpcoming'];
    await cluster.clock.advance(20 * SECOND);
    expect(cluster.fired).toEqual([1, 2, 3, 4, 5].map((n) => `b${n}@${n * SECOND}`));
    expect(node.calls.filter((call) => call === 'findUpcoming').length).toBeLessThan(20 * 5);
    node.refused = [];
    await cluster.clock.advance(3 * SECOND);
    expect(cluster.firedSeconds('t')).not.toEqual([]);
  });

  it('W8: leaves alone what another node is still resuming when it is over', async () => {
    const cluster = new Cluster();
    await cluster.delay('b', SECOND);
    const first = cluster.start();
    let release = (): void => {};
    first.onResume = () => new Promise((resolve) => (release = resolve));
    await cluster.clock.advance(2 * SECOND);
    const second = cluster.start();
    cutOff(cluster.nodes);
    await cluster.clock.advance(10 * MINUTE);
    for (const node of cluster.nodes) node.isCutOff = false;
    await cluster.clock.advance(MINUTE);
    expect(cluster.attempts).toHaveLength(1);
    expect(second.calls).toContain('claimDue');
    release();
    await cluster.clock.advance(0);
    expect(cluster.fired).toEqual(['b@1000']);
  });
});

describe('a firing that ended with a fault of the store', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(undefined as never));

  it.each([
    ['WM7014', () => new StoreUnavailableError('out')],
    ['WM7015', () => new CommitOutcomeUnknownError('lost')],
  ])('is repeated at once, by the node that has the claim: %s', async (_, fault) => {
    const cluster = new Cluster({ pollIntervalMs: HOUR });
    await cluster.delay('b', SECOND);
    await cluster.startAt('s', T0 + SECOND);
    const node = cluster.start();
    node.onStart = node.onResume = (): Promise<never> => Promise.reject(fault());
    await cluster.clock.advance(SECOND);
    expect(cluster.attempts).toHaveLength(2);
    node.onStart = node.onResume = undefined;
    await cluster.clock.advance(100);
    expect(cluster.fired.toSorted()).toEqual(['b@1000', 's@1000']);
    expect(cluster.attempts).toHaveLength(4);
  });

  it('is checked again: a committed firing is not repeated, and does not fail', async () => {
    const cluster = new Cluster();
    await cluster.timer('t', MINUTE);
    await cluster.delay('b', MINUTE);
    const node = cluster.start();
    node.mishaps = ['loses the answer', 'loses the answer'];
    await cluster.clock.advance(MINUTE + SECOND);
    expect(cluster.fired.toSorted()).toEqual(['b@60000', 't@60000']);
    const rows = [
      node.runner.failureOf('bookmark', { id: 'b', dueAt: new Date(T0 + MINUTE) }),
      node.runner.failureOf('trigger', { id: 't', dueAt: new Date(T0 + MINUTE) }),
    ];
    expect(rows).toEqual([undefined, undefined]);
  });

  it('keeps no other row waiting when the store continues failing with one of them', async () => {
    const cluster = new Cluster({ concurrency: 2 });
    await cluster.startAt('sick', T0 + SECOND);
    const node = cluster.start();
    node.onStart = ({ firing }) =>
      firing!.triggerId === 'sick' ? Promise.reject(new StoreUnavailableError('out')) : Promise.resolve(undefined);
    await cluster.timer('well', SECOND);
    await cluster.clock.advance(10 * SECOND + 500);
    expect(cluster.firedSeconds('well')).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    // Between two of its attempts there is up to a second in the end.
    expect(cluster.attempts.length).toBeLessThan(10 + 30);
  });
});
