import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, useServer } from '../module/api-harness.spec.js';

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
    expect(resumed.state).toEqual({ ...paused.state, reason: 'None', isAcceptingNewWork: true });
    expect((await execute()).status).toBe(200);
  });

  it('refuses commands while it drains', async () => {
    const drained = (await call('POST', `${admin}/force-drain`, {})).json;
    expect([drained.state.reason, drained.activeExecutionCycleCount]).toEqual(['Drain', 0]);
    for (const order of ['pause', 'resume']) {
      const answer = await call('POST', `${admin}/${order}`, {});
      expect([answer.status, answer.json.code]).toEqual([409, 'WM8010']);
    }
    expect((await execute()).status).toBe(503);
  });
});
