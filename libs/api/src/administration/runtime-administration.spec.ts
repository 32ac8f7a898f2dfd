import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate } from 'node:timers/promises';
import { RuntimeGate, WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, ApiServer, deploySeen, type Reply, useServer } from '../module/api-harness.spec.js';

const BEGIN = Date.parse('2026-03-01T00:00:00Z');
const DRAIN_MS = 30_000;
const at = (seconds: number): string => new Date(BEGIN + seconds * 1000).toISOString().replace('.000Z', '+00:00');
const sources = (state: string, lastTransitionAt: string) =>
  ['scheduling.trigger', 'internal.bookmark-queue-worker', 'http.trigger'].map((name) => ({
    name,
    state,
    lastTransitionAt,
  }));

describe.each(pairsOf(ADAPTERS, 'fastify'))('administration of the runtime on %s', (adapter) => {
  const { call } = useServer(adapter, deploySeen);
  const admin = '/admin/workflow-runtime';
  const execute = () => call('POST', '/workflow-definitions/seen/execute', {});

  it('pauses and resumes this node', async () => {
    const paused = (await call('POST', `${admin}/pause`, {})).json;
    expect(paused.state).toMatchObject({ reason: 'AdministrativePause', isAcceptingNewWork: false });
    const refused = await execute();
    expect([refused.status, refused.headers.get('retry-after'), refused.json.code]).toEqual([503, '5', 'WM3005']);
    const resumed = (await call('POST', `${admin}/resume`, {})).json;
    const { generationId } = paused.state;
    expect(resumed.state).toEqual({ reason: 'None', isAcceptingNewWork: true, generationId });
    expect((await execute()).status).toBe(200);
  });

  it('refuses commands while it drains', async () => {
    const drained = (await call('POST', `${admin}/force-drain`, {})).json;
    expect([drained.state.reason, drained.activeExecutionCycleCount]).toEqual(['Drain', 0]);
    const { outcome: _, ...state } = drained;
    for (const order of ['pause', 'resume']) {
      const answer = await call('POST', `${admin}/${order}`, {});
      const message = expect.stringContaining('shutting down');
      expect([answer.status, answer.json]).toEqual([409, { code: 'WM8010', message, state }]);
    }
    expect((await execute()).status).toBe(503);
  });
});

describe.each(pairsOf(ADAPTERS, 'fastify'))('times and reasons of the runtime on %s', (adapter) => {
  const [ann, bob] = ['a'.repeat(32), 'b'.repeat(32)];
  let api: ApiServer;
  let clock: VirtualClock;

  beforeEach(async () => {
    const keys = { ann, bob };
    const apiKeys = Object.entries(keys).map(([name, key]) => ({ key, name, permissions: ['*'] }));
    clock = new VirtualClock(BEGIN);
    api = await ApiServer.start(adapter, { authentication: { apiKeys } }, { clock, drainTimeoutMs: DRAIN_MS });
  });
  afterEach(() => api.close());

  const order = (name: string, body?: object, key = ann) =>
    api.call('POST', `/admin/workflow-runtime/${name}`, body, { authorization: `ApiKey ${key}` });

  it('a pause says since when, why and by whom, and the first one counts', async () => {
    const first = (await order('pause', { reason: ' maintenance ' })).json;
    const { generationId } = first.state;
    expect(first.state).toEqual({
      reason: 'AdministrativePause',
      isAcceptingNewWork: false,
      pausedAt: at(0),
      pauseReasonText: 'maintenance',
      pauseRequestedBy: 'ann',
      generationId,
    });
    expect(first.sources).toEqual(sources('Paused', at(0)));
    await clock.advance(5000);
    expect((await order('pause', { reason: 'another' }, bob)).json).toEqual(first);
    const resumed = (await order('resume', undefined, bob)).json;
    const state = { reason: 'None', isAcceptingNewWork: true, pauseRequestedBy: 'bob', generationId };
    expect(resumed).toEqual({ ...first, state, sources: sources('Running', at(5)) });
    const [entry] = await api.app
      .get(WorkflowPersistence)
      .audit.find({ action: 'runtime.pause', actor: 'ann' }, { limit: 1 });
    expect(entry).toMatchObject({ details: { reason: 'maintenance' } });
  });

  it('a pause needs no body, and refuses a reason that is too long', async () => {
    expect((await order('pause', { reason: 'x'.repeat(1001) })).json.errors.reason).toHaveLength(1);
    expect((await order('pause')).json.state).toMatchObject({ pausedAt: at(0), pauseRequestedBy: 'ann' });
  });

  it('a pause by code of the application has a time only', async () => {
    api.app.get(RuntimeGate).pause();
    const { state } = (await order('pause', { reason: 'later' })).json;
    expect(state).toEqual({
      reason: 'AdministrativePause',
      isAcceptingNewWork: false,
      pausedAt: at(0),
      generationId: state.generationId,
    });
  });

  it('a drain answers its outcome, the first one again when it is repeated', async () => {
    await order('pause');
    await clock.advance(1000);
    const drained = (await order('force-drain', { reason: 'new version' })).json;
    expect(drained.state).toMatchObject({ reason: 'Drain', pausedAt: at(0), drainStartedAt: at(1) });
    expect(drained.outcome).toEqual({
      overallResult: 'CompletedWithinDeadline',
      startedAt: at(1),
      completedAt: at(1),
      pausePhaseDuration: '00:00:00',
      waitPhaseDuration: '00:00:00',
      sources: sources('Paused', at(0)),
      executionCyclesForceCancelledCount: 0,
      forceCancelledInstanceIds: [],
    });
    const [entry] = await api.app.get(WorkflowPersistence).audit.find({ action: 'runtime.drain' }, { limit: 1 });
    expect(entry).toMatchObject({ targetIds: [drained.state.generationId], details: { reason: 'new version' } });
    await clock.advance(1000);
    expect((await order('force-drain')).json).toEqual(drained);
  });

  it('a drain waits as long as a shutdown would, and once more when it is repeated', async () => {
    const gate = api.app.get(RuntimeGate);
    gate.enter();
    const drain = async (meanwhile: () => unknown): Promise<Reply['json']> => {
      const timers = clock.pending.length;
      const answer = order('force-drain');
      while (clock.pending.length === timers) await setImmediate();
      await meanwhile();
      return (await answer).json;
    };
    const first = await drain(() => clock.advance(DRAIN_MS));
    expect([first.activeExecutionCycleCount, first.outcome.overallResult]).toEqual([1, 'DeadlineExceeded']);
    expect(first.outcome.waitPhaseDuration).toBe('00:00:30');
    const second = await drain(() => gate.leave());
    expect([second.activeExecutionCycleCount, second.outcome]).toEqual([
      0,
      { ...first.outcome, overallResult: 'CompletedWithinDeadline' },
    ]);
  });
});
