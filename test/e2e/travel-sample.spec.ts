import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BuiltHost } from '../support/built-host.js';

const HOST_TEST_MS = 120_000;
const TURNS = 100;

describe('the saga of a travel booking', () => {
  // With the clock that tests may move: it answers when all is done that was due.
  const host = new BuiltHost({ WAYMARK_TEST_CLOCK: '1' });
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  const bookTrip = async (destination: string) => {
    const answer = await host.call('POST', '/workflows/travel-bookings', { traveller: 'Mia', destination });
    return [answer.status, (answer.json as { bookingId: string }).bookingId] as const;
  };
  const stateOf = async (id: string) => {
    const { json } = await host.call('GET', `/elsa/api/workflow-instances/${id}`);
    const { subStatus, output, bookmarks, incidents } = json.workflowState as Record<string, unknown>;
    return { subStatus, output, waits: (bookmarks as unknown[]).length, incidents };
  };
  /** Activities of the sample that completed, in that order, each as often as it did. */
  const done = async (id: string) => {
    const { json } = await host.call('GET', `/elsa/api/activity-executions/list?workflowInstanceId=${id}`);
    return (json.items as { activityId: string; activityType: string; status: string; completedAt: string }[])
      .filter((r) => r.status === 'Completed' && r.activityType.startsWith('App.'))
      .sort((a, b) => (a.completedAt < b.completedAt ? -1 : 1))
      .map((r) => r.activityId);
  };

  it(
    'books all three',
    async () => {
      const [status, id] = await bookTrip('Lisbon');
      expect(status).toBe(202);
      expect(await stateOf(id)).toMatchObject({ subStatus: 'Finished', output: { Outcome: 'booked' }, waits: 0 });
      expect((await done(id)).toSorted()).toEqual(['Book-car', 'Book-flight', 'Book-hotel']);
    },
    HOST_TEST_MS,
  );

  it(
    'W8: cancels what it has booked, the last one first and each once, over a kill -9 in the middle',
    async () => {
      const [status, id] = await bookTrip('Venice');
      expect(status).toBe(202);
      // The hotel is asked to cancel, and has not answered; the flight has to wait for that.
      expect(await stateOf(id)).toMatchObject({ subStatus: 'Suspended', waits: 1 });
      await host.kill();

      await host.start();
      expect(await stateOf(id)).toMatchObject({ subStatus: 'Suspended', waits: 1 });
      await host.call('POST', `/elsa/api/events/hotel-cancelled:${id}/trigger`, {});
      for (let turn = 0; turn < TURNS && (await stateOf(id)).subStatus !== 'Finished'; turn++)
        await host.call('POST', '/test/clock', { milliseconds: 100 });
      expect(await stateOf(id)).toEqual({
        subStatus: 'Finished',
        output: { Outcome: 'not booked: There are no cars in Venice.' },
        waits: 0,
        incidents: [],
      });
      expect((await done(id)).toSorted()).toEqual(['Book-flight', 'Book-hotel', 'Cancel-flight', 'Cancel-hotel']);
      expect((await done(id)).indexOf('Cancel-flight')).toBe(3);
    },
    HOST_TEST_MS,
  );

  it(
    'undoes what it has booked when it is cancelled by an operator',
    async () => {
      const [, id] = await bookTrip('Zermatt');
      expect((await host.call('POST', `/elsa/api/cancel/workflow-instances/${id}`, {})).status).toBe(200);
      // What was being undone goes on.
      expect(await stateOf(id)).toMatchObject({ subStatus: 'Suspended', waits: 1 });
      await host.call('POST', `/elsa/api/events/hotel-cancelled:${id}/trigger`, {});
      for (let turn = 0; turn < TURNS && (await stateOf(id)).subStatus === 'Suspended'; turn++)
        await host.call('POST', '/test/clock', { milliseconds: 100 });
      expect(await stateOf(id)).toMatchObject({ subStatus: 'Cancelled', output: {}, waits: 0 });
      expect((await done(id)).toSorted()).toEqual(['Book-flight', 'Book-hotel', 'Cancel-flight', 'Cancel-hotel']);
    },
    HOST_TEST_MS,
  );

  it('refuses a value that is not a trip', async () => {
    const answer = await host.call('POST', '/workflows/travel-bookings', { traveller: 'Mia' });
    expect([answer.status, answer.json]).toEqual([400, { message: expect.stringMatching(/not a trip/) as unknown }]);
  });
});
