import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OwnHost } from './own-host.js';
import { Travel } from './travel.js';

const HOST_TEST_MS = 120_000;

/** What it does over a kill -9: restart.spec.ts. */
describe('the saga of a travel booking', () => {
  const host = new OwnHost({ WAYMARK_TEST_CLOCK: '1' });
  const travel = new Travel(host);
  beforeAll(() => host.start(), HOST_TEST_MS);
  afterAll(() => host.remove());

  it('a travel booking books all three parts', async () => {
    const [status, id] = await travel.book('Lisbon');
    expect(status).toBe(202);
    expect(await travel.stateOf(id)).toMatchObject({ subStatus: 'Finished', output: { Outcome: 'booked' }, waits: 0 });
    expect((await travel.done(id)).toSorted()).toEqual(['Book-car', 'Book-flight', 'Book-hotel']);
  });

  it('cancels its bookings when an operator cancels it', async () => {
    const [, id] = await travel.book('Zermatt');
    expect((await host.call('POST', `/elsa/api/cancel/workflow-instances/${id}`, {})).status).toBe(200);
    // What was being undone goes on.
    expect(await travel.stateOf(id)).toMatchObject({ subStatus: 'Suspended', waits: 1 });
    await host.call('POST', `/elsa/api/events/hotel-cancelled:${id}/trigger`, {});
    await travel.until(id, 'Cancelled');
    expect(await travel.stateOf(id)).toMatchObject({ subStatus: 'Cancelled', output: {}, waits: 0 });
    expect((await travel.done(id)).toSorted()).toEqual(['Book-flight', 'Book-hotel', 'Cancel-flight', 'Cancel-hotel']);
  });

  it('refuses a value that is not a trip', async () => {
    const answer = await host.call('POST', '/workflows/travel-bookings', { traveller: 'Mia' });
    expect([answer.status, answer.json]).toEqual([400, { message: expect.stringMatching(/not a trip/) as unknown }]);
  });
});
