import { jest } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { StoredValueError } from '@waymark/core';
import { IBookmarkResumer } from '@waymark/runtime';
import { idOfRequest } from '@waymark/runtime/adapter';
import { pairsOf } from '../../../../test/support/pairs.js';
import { requestContextOf } from '../requests/adapter-exchange.js';
import { RouteTable } from '../routing/route-table.js';
import { endpoint, lit, respond, startApp, type TestServer, type EndpointOptions } from './testing/http-test-app.js';

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], ExpressAdapter))('waiting instances (%p)', (Adapter) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startApp(new Adapter(), { bodyBytes: 1_000_000 });
  });
  afterAll(() => server.app.close());

  const twoSteps = (path: string, more: EndpointOptions = {}) =>
    server.publish([
      endpoint('Start', `${path}/start`),
      respond('R1', 'started'),
      endpoint('Resume', `${path}/resume`, { start: false, ...more }),
      respond('R2', 'resumed'),
    ]);

  it('resumes by the correlation or instance id, and refuses an ambiguous call', async () => {
    const id = await twoSteps('two');
    for (const n of ['1', '2', '3'])
      expect(
        (
          await server.call('GET', `/workflows/two/start?correlationId=c${n}`, {
            headers: { 'X-Workflow-Instance-ID': `two-${n}` },
          })
        ).text,
      ).toBe('started');
    const ids = Object.fromEntries((await server.instances(id)).map((i) => [i.id, i.correlationId]));
    expect(ids).toEqual({ 'two-1': 'c1', 'two-2': 'c2', 'two-3': 'c3' });
    const r = await server.call('GET', '/workflows/two/resume');
    expect([r.status, r.json.errorMessage]).toEqual([500, 'The call is ambiguous and matches multiple workflows.']);
    expect(r.json.workflows.map((w: any) => w.WorkflowInstanceId).sort()).toEqual(['two-1', 'two-2', 'two-3']);
    expect((await server.call('GET', '/workflows/two/resume', { headers: { 'X-Correlation-ID': 'c2' } })).text).toBe(
      'resumed',
    );
    expect((await server.call('GET', '/workflows/two/resume?workflowInstanceId=two-3')).text).toBe('resumed');
    expect((await server.call('GET', '/workflows/two/resume')).text).toBe('resumed');
    expect((await server.call('GET', '/workflows/two/resume')).status).toBe(404);
  });

  it('does not tell a caller whom an endpoint does not admit which instances wait there', async () => {
    await twoSteps('guarded', { authorize: true });
    for (const n of ['1', '2'])
      await server.call('GET', '/workflows/guarded/start', { headers: { 'X-Workflow-Instance-ID': `guarded-${n}` } });
    const refused = await server.call('GET', '/workflows/guarded/resume');
    expect([refused.status, refused.json.code]).toEqual([401, 'WM5063']);
    expect(refused.text).not.toMatch(/guarded-\d/);
  });

  it('does not tell which instances wait where their rows are damaged, so that it is not known whom they admit', async () => {
    await twoSteps('damaged', { authorize: true });
    for (const n of ['1', '2'])
      await server.call('GET', '/workflows/damaged/start', { headers: { 'X-Workflow-Instance-ID': `damaged-${n}` } });
    const { bookmarks } = server.persistence;
    const { findMany } = bookmarks;
    const unreadable = new StoredValueError('it is not JSON', 'data');
    const spied = jest
      .spyOn(bookmarks, 'findMany')
      .mockImplementation(async (...asked) =>
        (await findMany.apply(bookmarks, asked)).map((row) => ({ ...row, payload: undefined, unreadable })),
      );
    const refused = await server.call('GET', '/workflows/damaged/resume');
    spied.mockRestore();
    expect(refused.status).toBe(500);
    expect(refused.text).not.toMatch(/damaged-\d/);
  });

  it('answers 400 to ids that cannot be stored, and starts nothing', async () => {
    const id = await twoSteps('ids');
    for (const query of [
      `correlationId=${'c'.repeat(701)}`,
      'correlationId=a%00b',
      `workflowInstanceId=${'i'.repeat(201)}`,
      'workflowInstanceId=%00',
    ]) {
      const refused = await server.call('GET', `/workflows/ids/start?${query}`);
      expect([refused.status, refused.json.code]).toEqual([400, 'WM1103']);
      expect((await server.call('GET', `/workflows/ids/resume?${query}`)).status).toBe(404);
    }
    expect(await server.instances(id)).toEqual([]);
  });

  it('waits for one method of several', async () => {
    await twoSteps('methods-of-wait', { methods: ['POST', 'PUT'] });
    await server.call('GET', '/workflows/methods-of-wait/start');
    expect((await server.call('GET', '/workflows/methods-of-wait/resume')).status).toBe(404);
    expect((await server.call('PUT', '/workflows/methods-of-wait/resume')).text).toBe('resumed');
    expect((await server.call('POST', '/workflows/methods-of-wait/resume')).status).toBe(404);
  });

  it('keeps the bookmark when the request is rejected', async () => {
    await twoSteps('picky', {
      methods: ['POST'],
      requestSizeLimit: lit(3, 'Int64'),
      authorize: lit(true, 'Boolean'),
    });
    await server.call('GET', '/workflows/picky/start');
    const send = (body: string, headers = {}) =>
      server.call('POST', '/workflows/picky/resume', { body, headers: { 'Content-Type': 'text/plain', ...headers } });
    expect((await send('ok')).status).toBe(401);
    expect((await send('too long', { 'X-User': 'ann' })).status).toBe(413);
    expect((await send('ok', { 'X-User': 'ann' })).text).toBe('resumed');
  });

  it('finds a literal path that its route table does not know, as that of an instance of another node', async () => {
    await twoSteps('elsewhere');
    await server.call('GET', '/workflows/elsewhere/start');
    expect(server.app.get(RouteTable).find('GET', '/elsewhere/resume')).toBeUndefined();
    expect((await server.call('GET', '/workflows/elsewhere/resume')).text).toBe('resumed');
  });

  it('only one of many concurrent requests resumes a waiting instance', async () => {
    const id = await twoSteps('race');
    await server.call('GET', '/workflows/race/start');
    const all = await Promise.all(Array.from({ length: 8 }, () => server.call('GET', '/workflows/race/resume')));
    expect(all.filter((r) => r.text === 'resumed')).toHaveLength(1);
    const lost = all.filter((r) => r.text !== 'resumed').map((r) => [r.status, r.json.code]);
    expect(lost.every(([status, code]) => (status === 409 ? code === 'WM7002' : code === 'WM5007'))).toBe(true);
    const late = await server.call('GET', '/workflows/race/resume');
    expect([late.status, late.json.code]).toEqual([404, 'WM5007']);
    expect((await server.instances(id))[0]!.subStatus).toBe('Finished');
  });

  it('answers a request that found the bookmark but was not the first with a conflict', async () => {
    await twoSteps('overtaken');
    await server.call('GET', '/workflows/overtaken/start');
    const resumer = server.app.get(IBookmarkResumer);
    const resumeWaiting = jest.spyOn(resumer, 'resumeWaiting').mockImplementationOnce(async (bookmark, options) => {
      await resumer.resumeWaiting(bookmark);
      return resumer.resumeWaiting(bookmark, options);
    });
    const overtaken = await server.call('GET', '/workflows/overtaken/resume');
    expect([overtaken.status, overtaken.json.code]).toEqual([409, 'WM7002']);
    resumeWaiting.mockRestore();
  });

  it('never overwrites an instance', async () => {
    const id = await server.publish([endpoint('In', 'given-id'), respond('Out', 'ok')]);
    expect((await server.call('GET', '/workflows/given-id?workflowInstanceId=mine')).status).toBe(200);
    const again = await server.call('GET', '/workflows/given-id?workflowInstanceId=mine');
    expect([again.status, again.json.code]).toEqual([409, 'WM3002']);
    expect(await server.instances(id)).toHaveLength(1);
  });

  it('starts nothing under an id that follows from a request key, since the start with that key would find it taken', async () => {
    const definition = await server.publish([endpoint('In', 'squatted'), respond('Out', 'ok')]);
    const requestKey = 'order-1001';
    const answer = await server.call('GET', `/workflows/squatted?workflowInstanceId=${idOfRequest(requestKey)}`);
    expect([answer.status, answer.json.code]).toEqual([400, 'WM5020']);
    const client = await server.runtime.createClient();
    const started = await client.createAndRunInstance({ definition, requestKey, triggerActivityId: 'In' });
    expect(started.workflowInstanceId).toBe(idOfRequest(requestKey));
    const taken = await server.call('GET', `/workflows/squatted?workflowInstanceId=${'ab'.repeat(12)}`);
    expect(taken.text).toBe('ok');
  });

  it('leaves a marked bookmark when there is no request, and continues with one', async () => {
    const id = await server.publish([endpoint('In', 'without-request'), respond('Out', 'ok')]);
    const client = await server.runtime.createClient();
    const { state } = await client.createAndRunInstance({ definition: id, triggerActivityId: 'In' });
    expect(state.bookmarks).toMatchObject([{ name: 'Elsa.HttpEndpoint', metadata: { 'X-HttpCrossBoundary': 'true' } }]);
    const raw = { rawHeaders: [], headers: {}, method: 'GET', url: '/api' };
    const sent: unknown[] = [];
    const response = {
      headersSent: false,
      writableEnded: false,
      getHeader: () => undefined,
      setHeader: () => undefined,
      end: (body: unknown) => sent.push(body),
    };
    const context = requestContextOf(raw, response);
    const resumed = await client.runInstance({ bookmarkId: state.bookmarks[0]!.id, transient: context.transient });
    expect([resumed.subStatus, context.response.isWritten]).toEqual(['Finished', true]);
    await context.response.send();
    expect(String(sent[0])).toBe('ok');
  });
});
