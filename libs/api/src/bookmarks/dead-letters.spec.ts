import { describe, expect, it } from '@jest/globals';
import { WorkflowPersistence } from '@waymark/runtime';
import { BookmarkResumer } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { ADAPTERS, deploySeen, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('dead letters of stimuli on %s', (adapter) => {
  const { app, call, execute } = useServer(adapter, deploySeen);
  const LETTERS = '/bookmark-queue/dead-letters';
  const queue = () => app().get(WorkflowPersistence).queue;

  /** A stimulus for a bookmark of that instance whose delivery has failed. */
  async function fail(id: string, more: object = {}): Promise<void> {
    const at = new Date('2026-03-01T00:00:00Z');
    await queue().enqueue({ ...more, id, createdAt: at, expiresAt: new Date(9e12), attempts: 0 });
    await queue().fail(id, 'WM1020: gone', 1, at);
  }

  it('dead letters have the members that clients of Elsa read', async () => {
    await fail(`${adapter}-shown`, { workflowInstanceId: 'gone' });
    const letter = (await call('GET', `${LETTERS}/${adapter}-shown`)).json;
    expect(letter).toMatchObject({
      tenantId: '',
      originalQueueItemId: `${adapter}-shown`,
      originalCreatedAt: '2026-03-01T00:00:00+00:00',
      deliveryAttempts: 1,
      lastErrorMessage: 'WM1020: gone',
    });
    expect([letter.createdAt, letter.attempts, letter.lastError]).toEqual([
      letter.originalCreatedAt,
      letter.deliveryAttempts,
      letter.lastErrorMessage,
    ]);
    const { items } = (await call('POST', LETTERS, { workflowInstanceId: 'gone' })).json;
    expect(items).toEqual([letter]);
  });

  it('a replay names what it has queued, and a second one says that nothing was replayed', async () => {
    const { id: workflowInstanceId, bookmarks } = await execute('seen');
    const id = `${adapter}-replayed`;
    await fail(id, { workflowInstanceId, bookmarkId: bookmarks[0].id });
    const answer = await call('POST', `${LETTERS}/${id}/replay`);
    expect([answer.status, answer.json]).toEqual([200, { replayed: true, queueItemId: expect.any(String) }]);
    expect((await call('GET', `/workflow-instances/${workflowInstanceId}`)).json.subStatus).toBe('Finished');
    const again = await call('POST', `${LETTERS}/${id}/replay`);
    expect([again.status, again.json]).toEqual([
      409,
      { replayed: false, reason: 'NotReplayable', code: 'WM8007', message: expect.stringContaining(id) },
    ]);
    expect((await call('POST', `${LETTERS}/none/replay`)).status).toBe(404);
  });

  it('a replay is done when the stimulus is queued, although its delivery fails', async () => {
    const { id: workflowInstanceId, bookmarks } = await execute('seen');
    const id = `${adapter}-failing`;
    await fail(id, { workflowInstanceId, bookmarkId: bookmarks[0].id });
    const resumer = app().get(BookmarkResumer);
    const { resumeRow } = resumer;
    resumer.resumeRow = () => Promise.reject(new Error('broken'));
    const answer = await call('POST', `${LETTERS}/${id}/replay`);
    resumer.resumeRow = resumeRow;
    expect([answer.status, answer.json.replayed]).toEqual([200, true]);
    expect(await queue().find(answer.json.queueItemId)).toMatchObject({ workflowInstanceId, attempts: 1 });
  });
});
