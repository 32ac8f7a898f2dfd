import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';
import { describeAfterQuick } from '../support/pairs.js';
import { Travel } from './travel.js';

const HOST_TEST_MS = 120_000;
const HOUR_MS = 3_600_000;
const TURNS = 100;

const definitionOf = (definitionId: string, activities: readonly object[], connections: readonly object[]) => ({
  definitionId,
  name: definitionId,
  root: { id: 'Flow', type: 'Elsa.Flowchart', activities, connections },
});
const input = (typeName: string, value: unknown) => ({ typeName, expression: { type: 'Literal', value } });

/** One process that is killed in the middle of several stories, and one that continues with all of them: a start costs a second. */
describeAfterQuick('the host, killed and started again', () => {
  // With the clock that tests may move: it answers when all is done that was due.
  const host = new BuiltHost({ WAYMARK_TEST_CLOCK: '1' });
  const travel = new Travel(host);
  /** Of the stories. */
  let requestId: string;
  let sleeper: string;
  let trip: string;

  beforeAll(async () => {
    await host.start();
    requestId = await askForLeave();
    sleeper = await sleep();
    trip = await bookInVain();
    await host.kill();
    await host.start();
  }, HOST_TEST_MS);
  afterAll(() => host.remove());

  async function askForLeave(): Promise<string> {
    const { json } = await host.call('POST', '/workflows/leave-requests', { employee: 'Mia', days: 3 });
    const { requestId: id } = json as { requestId: string };
    const manager = await host.call('POST', `/leave-requests/${id}/manager`, { approved: true, by: 'Max' });
    expect(manager.status).toBe(200);
    return id;
  }

  async function sleep(): Promise<string> {
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
    return (started.json.workflowState as { id: string }).id;
  }

  async function bookInVain(): Promise<string> {
    const [status, id] = await travel.book('Venice');
    expect(status).toBe(202);
    // The hotel is asked to cancel, and has not answered; the flight has to wait for that.
    expect(await travel.stateOf(id)).toMatchObject({ subStatus: 'Suspended', waits: 1 });
    return id;
  }

  it('W8: finishes a leave request that it was killed in the middle of', async () => {
    expect((await host.call('GET', `/workflows/leave-requests/${requestId}`)).json.status).toBe('waiting for the head');
    const head = await host.call('POST', `/leave-requests/${requestId}/head`, { approved: true, by: 'Hanna' });
    expect(head.json).toEqual({ requestId, step: 'head', approved: true });
    expect((await host.call('GET', `/workflows/leave-requests/${requestId}`)).json.status).toBe('approved');
  });

  it('W4: continues after a delay that was due while it was down', async () => {
    // Half a second is over before a process is up; whether it was or not, an hour later it is.
    expect((await host.call('POST', '/test/clock', { milliseconds: HOUR_MS })).status).toBe(200);
    const state = await host.call('GET', `/elsa/api/workflow-instances/${sleeper}`);
    const waiting = (state.json.workflowState.bookmarks as { name: string }[]).map((b) => b.name);
    expect(waiting).toEqual(['Elsa.Event']);
    await host.call('POST', '/elsa/api/events/woken/trigger', {});
    // The answer says that the event is on its way.
    const subStatus = async () => (await host.call('GET', `/elsa/api/workflow-instances/${sleeper}`)).json.subStatus;
    for (let turn = 0; turn < TURNS && (await subStatus()) !== 'Finished'; turn++)
      await host.call('POST', '/test/clock', { milliseconds: 100 });
    expect(await subStatus()).toBe('Finished');
    const records = await host.call('GET', `/elsa/api/activity-executions/list?workflowInstanceId=${sleeper}`);
    const sleeps = (records.json.items as { activityId: string }[]).filter((r) => r.activityId === 'Sleep');
    expect(sleeps).toHaveLength(1);
  });

  it('W8: cancels what a saga has booked, the last one first and each once', async () => {
    expect(await travel.stateOf(trip)).toMatchObject({ subStatus: 'Suspended', waits: 1 });
    await host.call('POST', `/elsa/api/events/hotel-cancelled:${trip}/trigger`, {});
    await travel.until(trip, 'Finished');
    expect(await travel.stateOf(trip)).toEqual({
      subStatus: 'Finished',
      output: { Outcome: 'not booked: There are no cars in Venice.' },
      waits: 0,
      incidents: [],
    });
    expect((await travel.done(trip)).toSorted()).toEqual([
      'Book-flight',
      'Book-hotel',
      'Cancel-flight',
      'Cancel-hotel',
    ]);
    expect((await travel.done(trip)).indexOf('Cancel-flight')).toBe(3);
  });
});
