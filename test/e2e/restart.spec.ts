import { describe, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';

const HOST_TEST_MS = 120_000;
const HOUR_MS = 3_600_000;
const TURNS = 100;

const definitionOf = (definitionId: string, activities: readonly object[], connections: readonly object[]) => ({
  definitionId,
  name: definitionId,
  root: { id: 'Flow', type: 'Elsa.Flowchart', activities, connections },
});
const input = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });

describe('the host, killed and started again', () => {
  it(
    'W8: finishes a leave request that it was killed in the middle of',
    async () => {
      const host = new BuiltHost();
      try {
        await host.start();
        const { json } = await host.call('POST', '/workflows/leave-requests', { employee: 'Mia', days: 3 });
        const { requestId } = json as { requestId: string };
        const manager = await host.call('POST', `/leave-requests/${requestId}/manager`, { approved: true, by: 'Max' });
        expect(manager.status).toBe(200);
        await host.kill();

        await host.start();
        expect((await host.call('GET', `/workflows/leave-requests/${requestId}`)).json.status).toBe(
          'waiting for the head',
        );
        const head = await host.call('POST', `/leave-requests/${requestId}/head`, { approved: true, by: 'Hanna' });
        expect(head.json).toEqual({ requestId, step: 'head', approved: true });
        expect((await host.call('GET', `/workflows/leave-requests/${requestId}`)).json.status).toBe('approved');
      } finally {
        await host.remove();
      }
    },
    HOST_TEST_MS,
  );

  it(
    'W4: goes on with a delay that fell due while it was down',
    async () => {
      // With the clock that tests may move: it answers when all is done that was due.
      const host = new BuiltHost({ WAYMARK_TEST_CLOCK: '1' });
      try {
        await host.start();
        const definition = definitionOf(
          'sleeper',
          [
            { id: 'Sleep', type: 'Elsa.Delay', timeSpan: input('TimeSpan', '00:00:00.5') },
            { id: 'Wake', type: 'Elsa.Event', eventName: input('String', 'woken') },
          ],
          [{ source: { activity: 'Sleep', port: 'Done' }, target: { activity: 'Wake', port: 'In' } }],
        );
        await host.call('POST', '/elsa/api/workflow-definitions/import', definition);
        await host.call('POST', '/elsa/api/workflow-definitions/sleeper/publish', {});
        const started = await host.call('POST', '/elsa/api/workflow-definitions/sleeper/execute', {});
        const { id } = started.json.workflowState as { id: string };
        await host.kill();

        await host.start();
        // Half a second is over before a process is up; whether it was or not, an hour later it is.
        expect((await host.call('POST', '/test/clock', { milliseconds: HOUR_MS })).status).toBe(200);
        const state = await host.call('GET', `/elsa/api/workflow-instances/${id}`);
        const waiting = (state.json.workflowState.bookmarks as { name: string }[]).map((b) => b.name);
        expect(waiting).toEqual(['Elsa.Event']);
        await host.call('POST', '/elsa/api/events/woken/trigger', {});
        // The answer says that the event is on its way.
        const subStatus = async () => (await host.call('GET', `/elsa/api/workflow-instances/${id}`)).json.subStatus;
        for (let turn = 0; turn < TURNS && (await subStatus()) !== 'Finished'; turn++)
          await host.call('POST', '/test/clock', { milliseconds: 100 });
        expect(await subStatus()).toBe('Finished');
        const records = await host.call('GET', `/elsa/api/activity-executions/list?workflowInstanceId=${id}`);
        const sleeps = (records.json.items as { activityId: string }[]).filter((r) => r.activityId === 'Sleep');
        expect(sleeps).toHaveLength(1);
      } finally {
        await host.remove();
      }
    },
    HOST_TEST_MS,
  );
});
