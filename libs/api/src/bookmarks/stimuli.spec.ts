import { gzipSync } from 'node:zlib';
import { jest } from '@jest/globals';
import { RuntimeGate, WorkflowClock, WorkflowPersistence } from '@waymark/runtime';
import { BookmarkConsumedError, BookmarkResumer } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { TokenService } from './token-service.js';
import { ADAPTERS, deploySeen, event, sequence, useServer } from '../module/api-harness.spec.js';

describe.each(pairsOf(ADAPTERS, 'fastify'))('stimuli on %s', (adapter) => {
  const { call, deploy, execute, send, settled, app } = useServer(adapter, async (api) => {
    await deploySeen(api);
    await api.deploy(
      'rounds',
      sequence(...['first', 'second', 'first', 'second'].map((name, n) => event(`E${n}`, name))),
    );
  });

  const keptFor = (workflowInstanceId: string, bookmarkId: string) =>
    app()
      .get(WorkflowPersistence)
      .queue.findMatching({ bookmarkId, hash: '', name: '', workflowInstanceId, activityInstanceId: '' }, 200);
  const keptEvents = (eventName: string, workflowInstanceId = '') => {
    const hash = app().get(BookmarkResumer).hashOf('Elsa.Event', { eventName });
    const match = { bookmarkId: '', hash, name: 'Elsa.Event', workflowInstanceId, activityInstanceId: '' };
    return app().get(WorkflowPersistence).queue.findMatching(match, 200);
  };

  it('stimuli are sent by a token that is valid for one purpose only', async () => {
    const tokens = app().get(TokenService, { strict: false });
    const { id, bookmarks } = await execute('seen');
    const [eventToken, bookmarkToken] = [
      tokens.forEvent({ eventName: 'x' }),
      tokens.forBookmark({ bookmarkId: bookmarks[0].id, workflowInstanceId: id }),
    ];
    for (const path of ['/bookmarks/resume', `/bookmarks/resume?t=${eventToken}`, `/events/trigger?t=${bookmarkToken}`])
      expect([path, (await call('GET', path)).json.errors]).toEqual([path, { generalErrors: ['Invalid token.'] }]);
    expect((await call('GET', `/bookmarks/resume?t=${bookmarkToken}&in=%7Bnope`)).json.errors.generalErrors).toEqual([
      'Invalid input format. Expected a valid JSON string.',
    ]);
    const large = await call('POST', `/bookmarks/resume?t=${bookmarkToken}`, {
      input: { text: 'x'.repeat(1024 * 1024) },
    });
    expect(large.json.errors.generalErrors).toEqual(['Request body is too large.']);
    expect((await call('POST', `/bookmarks/resume?t=${bookmarkToken}`, { input: { a: 1 } })).status).toBe(200);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
    expect((await call('POST', `/bookmarks/resume?t=${bookmarkToken}`)).status).toBe(200);
  });

  it('input that cannot be read does not use up the bookmark, whatever it is declared as', async () => {
    const { id, bookmarks } = await execute('seen');
    const token = app()
      .get(TokenService, { strict: false })
      .forBookmark({ bookmarkId: bookmarks[0].id, workflowInstanceId: id });
    const link = `/bookmarks/resume?t=${token}`;
    for (const given of ['[1]', '5', '"text"']) {
      const refused = await call('GET', `${link}&in=${encodeURIComponent(given)}`);
      expect([given, refused.status, refused.json.errors?.generalErrors]).toEqual([
        given,
        400,
        ['Invalid input format. Expected a valid JSON string.'],
      ]);
    }
    // As curl sends it: Elsa does not look at the type.
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const refused = await call('POST', link, '{ "input": [1] }', form);
    expect([refused.status, Object.keys(refused.json.errors)]).toEqual([400, ['input']]);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Suspended');
    // A form with a button, as in a mail.
    expect((await call('POST', link, 'approve=yes', form)).status).toBe(200);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
  });

  it('a list as input does not use up the bookmark, whatever it is declared as, and a mark at the beginning of the text does not count', async () => {
    const { id, bookmarks } = await execute('seen');
    const token = app()
      .get(TokenService, { strict: false })
      .forBookmark({ bookmarkId: bookmarks[0].id, workflowInstanceId: id });
    const link = `/bookmarks/resume?t=${token}`;
    const text = { 'content-type': 'text/plain' };
    for (const body of ['[{"approved":true}]', ' []', '\uFEFF[1]', '\uFEFF{"input":[1]}'])
      expect([body, (await call('POST', link, body, text)).status]).toEqual([body, 400]);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Suspended');
    expect((await call('POST', link, '\uFEFF{"input":{"a":1}}', { 'content-type': 'application/json' })).status).toBe(
      200,
    );
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
    // A form whose first field is named so.
    const next = await execute('seen');
    const other = app()
      .get(TokenService, { strict: false })
      .forBookmark({ bookmarkId: next.bookmarks[0].id, workflowInstanceId: next.id });
    expect((await call('POST', `/bookmarks/resume?t=${other}`, '[x]=1', text)).status).toBe(200);
    expect((await call('GET', `/workflow-instances/${next.id}`)).json.subStatus).toBe('Finished');
  });

  it.each([
    ['a list that is cut off', '[1,2'],
    ['a list with a comma too many', '[{"a":1},]'],
    ['a list with an equals sign', '[["a"],"b=c"'],
    ['an object that is cut off', '{"input":{"a":1}'],
    ['a compressed body', gzipSync('{"input":{"a":1}}'), 415],
    ['a compressed form', gzipSync('approve=yes'), 415],
  ])('%s does not use up the bookmark, whatever it is declared as', async (_name, body, refusal = 400) => {
    const { id, bookmarks } = await execute('seen');
    const tokens = app().get(TokenService, { strict: false });
    const link = `/bookmarks/resume?t=${tokens.forBookmark({ bookmarkId: bookmarks[0].id, workflowInstanceId: id })}`;
    const coding: Record<string, string> = typeof body === 'string' ? {} : { 'content-encoding': 'gzip' };
    for (const type of [undefined, 'text/plain', 'application/json', 'application/x-www-form-urlencoded']) {
      // A blob without a type has none.
      const headers: Record<string, string> = { ...coding, ...(type !== undefined && { 'content-type': type }) };
      const answer = await send('POST', link, new Blob([body]), headers);
      expect([type, answer.status, answer.headers.get('accept-encoding')]).toEqual([
        type,
        refusal,
        refusal === 415 ? 'identity' : null,
      ]);
    }
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Suspended');
    for (const [type, form] of [
      ['text/plain', ' [x]=1'],
      ['application/x-www-form-urlencoded', '[x][]=1&y=[2'],
      ['text/plain', '%5Bx%5D=1'],
    ])
      expect([form, (await call('POST', link, form, { 'content-type': type! })).status]).toEqual([form, 200]);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
  });

  it('stimuli by a link that another node resumes at the same moment are answered like those of a spent one', async () => {
    const token = app().get(TokenService, { strict: false }).forBookmark({ bookmarkId: 'b', workflowInstanceId: 'i' });
    // The burst that lost may have answered: what it did has not happened.
    const lost = jest
      .spyOn(BookmarkResumer.prototype, 'resumeById')
      .mockImplementation(async (_id, { transient } = {}) => {
        for (const [, reply] of transient!) (reply as { answer(): void }).answer();
        throw new BookmarkConsumedError('b', 'i');
      });
    try {
      for (const method of ['GET', 'POST']) {
        const answer = await call(method, `/bookmarks/resume?t=${token}`);
        expect([method, answer.status, answer.text]).toEqual([method, 200, '']);
      }
    } finally {
      lost.mockRestore();
    }
    expect((await call('GET', '/audit?action=instances.resume')).json.items).toContainEqual(
      expect.objectContaining({ targetIds: ['i'], outcome: 'Refused', code: 'WM7002' }),
    );
  });

  it('stimuli are not sent by HEAD, with which mail scanners and previews look at a link', async () => {
    const tokens = app().get(TokenService, { strict: false });
    const { id, bookmarks } = await execute('seen');
    const status = async () => (await call('GET', `/workflow-instances/${id}`)).json.subStatus;
    const count = async () => (await call('GET', '/workflow-instances?definitionId=seen')).json.totalCount;
    const link = `/bookmarks/resume?t=${tokens.forBookmark({ bookmarkId: bookmarks[0].id, workflowInstanceId: id })}`;
    const event = `/events/trigger?t=${tokens.forEvent({ eventName: 'seen' })}`;
    const before = await count();
    for (const path of [link, event, '/workflow-definitions/seen/execute', '/alterations/workflows/retry?id=x'])
      expect([path, (await call('HEAD', path)).status]).toEqual([path, 200]);
    expect([await status(), await count()]).toEqual(['Suspended', before]);
    expect((await call('GET', '/audit?action=instances.resume')).json.items).not.toContainEqual(
      expect.objectContaining({ targetIds: [id] }),
    );
    expect((await call('GET', link)).status).toBe(200);
    expect(await status()).toBe('Finished');
    // What GET would refuse is not confirmed: a checker of links says so of one that has expired.
    const old = tokens.forEvent({ eventName: 'seen' }, new Date(0));
    for (const [path, status] of [
      ['/bookmarks/resume?t=none', 400],
      [`${link}&in=%7B`, 400],
      ['/events/trigger?t=none', 400],
      [`/events/trigger?t=${old}`, 400],
      ['/events/trigger', 400],
      ['/workflow-definitions/none/execute', 404],
    ] as const) {
      expect([path, (await call('GET', path)).status]).toEqual([path, status]);
      expect([path, (await call('HEAD', path)).status]).toEqual([path, status]);
    }
    // Routes that only read answer as before.
    expect((await call('HEAD', `/workflow-instances/${id}`)).status).toBe(200);
    expect((await call('HEAD', '/workflow-instances/none')).status).toBe(404);
  });

  it('stimuli by a spent link are kept once, however often it is followed', async () => {
    const tokens = app().get(TokenService, { strict: false });
    const { id, bookmarks } = await execute('seen');
    const link = `/bookmarks/resume?t=${tokens.forBookmark({ bookmarkId: bookmarks[0].id, workflowInstanceId: id })}`;
    expect((await call('GET', `${link}&async=true`)).status).toBe(200);
    expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe('Finished');
    for (let n = 0; n < 5; n++) expect((await call('POST', `${link}&async=true`, { input: { n } })).status).toBe(200);
    expect(await keptFor(id, bookmarks[0].id)).toHaveLength(1);
  });

  it('stimuli by a link whose bookmark is there are kept once while the runtime is paused', async () => {
    const tokens = app().get(TokenService, { strict: false });
    const runtime = app().get(RuntimeGate, { strict: false });
    const { id, bookmarks } = await execute('seen');
    const link = `/bookmarks/resume?t=${tokens.forBookmark({ bookmarkId: bookmarks[0].id, workflowInstanceId: id })}`;
    const follow = async (n: number) =>
      expect((await call('POST', `${link}&async=true`, { input: { n } })).status).toBe(200);
    runtime.pause();
    for (let n = 0; n < 5; n++) await follow(n);
    expect(await keptFor(id, bookmarks[0].id)).toHaveLength(1);
    runtime.resume();
    await Promise.all([5, 6, 7, 8, 9].map(follow));
    expect((await keptFor(id, bookmarks[0].id)).length).toBeLessThan(2);
  });

  it('stimuli by a link to an event are kept once while nothing waits for them, and start workflows each time', async () => {
    const tokens = app().get(TokenService, { strict: false });
    const link = `/events/trigger?t=${tokens.forEvent({ eventName: 'for anyone' })}`;
    const follow = async () => expect((await call('GET', link)).status).toBe(200);
    for (let n = 0; n < 5; n++) await follow();
    expect(await keptEvents('for anyone')).toHaveLength(1);
    const wait = { ...event('W', 'for anyone'), customProperties: { canStartWorkflow: true } };
    await deploy('anyone', sequence(wait));
    for (let n = 0; n < 3; n++) await follow();
    expect((await call('GET', '/workflow-instances?definitionId=anyone')).json.totalCount).toBe(3);
    expect(await keptEvents('for anyone')).toHaveLength(1);
  });

  it('stimuli by a link are kept beside any number of others of that name', async () => {
    const tokens = app().get(TokenService, { strict: false });
    for (let n = 0; n < 110; n++) await call('POST', '/events/crowded/trigger', { workflowInstanceId: 'not-there' });
    await settled();
    const link = `/events/trigger?t=${tokens.forEvent({ eventName: 'crowded', workflowInstanceId: 'not-there' })}`;
    const now = jest.spyOn(app().get(WorkflowClock, { strict: false }), 'now');
    for (let n = 0; n < 3; n++) {
      now.mockReturnValue(Date.now() + 2000 * n);
      expect((await call('GET', link)).status).toBe(200);
    }
    now.mockRestore();
    const kept = await keptEvents('crowded', 'not-there');
    expect(kept.filter(({ idempotencyKey }) => idempotencyKey?.startsWith('event-link'))).toHaveLength(1);
    expect(kept).toHaveLength(111);
  });

  it('stimuli by a link to an event of one instance are kept once while nothing waits for them', async () => {
    const tokens = app().get(TokenService, { strict: false });
    const t = tokens.forEvent({ eventName: 'later', workflowInstanceId: 'not-there' });
    for (let n = 0; n < 5; n++) expect((await call('GET', `/events/trigger?t=${t}`)).status).toBe(200);
    expect(await keptEvents('later', 'not-there')).toHaveLength(1);
  });

  it('stimuli by a link to an event are kept again once the one before was taken', async () => {
    const tokens = app().get(TokenService, { strict: false });
    const { id } = await execute('rounds');
    const link = `/events/trigger?t=${tokens.forEvent({ eventName: 'second', workflowInstanceId: id })}`;
    const go = { workflowInstanceId: id, workflowExecutionMode: 'Synchronous' };
    for (const subStatus of ['Suspended', 'Finished']) {
      // Before anything waits for it.
      for (let n = 0; n < 2; n++) expect((await call('GET', link)).status).toBe(200);
      await call('POST', '/events/first/trigger', go);
      expect((await call('GET', `/workflow-instances/${id}`)).json.subStatus).toBe(subStatus);
    }
  });

  it('stimuli resume the bookmark that is named by its id, and only once', async () => {
    const { id, bookmarks } = await execute('seen');
    const route = `/workflow-instances/${id}/bookmarks/${bookmarks[0].id}/resume`;
    expect((await call('POST', `/workflow-instances/other/bookmarks/${bookmarks[0].id}/resume`, {})).status).toBe(404);
    expect((await call('POST', route, { input: 'go' })).json.errors).toHaveProperty('input');
    const answer = await call('POST', route, { input: { a: 1 } });
    expect([answer.status, answer.json]).toEqual([
      200,
      { workflowInstanceId: id, status: 'Finished', subStatus: 'Finished' },
    ]);
    expect((await call('POST', route, {})).status).not.toBe(200);
  });

  it('may match no bookmark', async () => {
    expect([
      (await call('POST', '/tasks/none/complete', { result: 1 })).status,
      (await call('POST', '/events/none/trigger', {})).status,
    ]).toEqual([200, 200]);
    expect((await call('POST', '/tasks/none/complete')).status).toBe(415);
    expect(
      Object.keys((await call('POST', '/events/x/trigger', { workflowExecutionMode: 'Later' })).json.errors),
    ).toEqual(['workflowExecutionMode']);
    expect((await call('GET', '/bookmark-queue/dead-letters?pageSize=5')).json).toEqual({ items: [], totalCount: 0 });
    expect((await call('POST', '/bookmark-queue/dead-letters/none/replay', {})).status).toBe(404);
  });
});
