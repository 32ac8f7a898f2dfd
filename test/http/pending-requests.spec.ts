import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { ActivityJson } from '@waymark/core';
import type { HttpWorkflowsOptions } from '@waymark/http';
import { IEventPublisher, IWorkflowRuntime, MemoryPersistence, WorkflowPersistence } from '@waymark/runtime';
import { pairsOf } from '../support/pairs.js';
import { testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, waitFor } from '../support/runtime-node.js';
import { endpoint, flag, type HttpNode, respond, startHttpNode } from './http-node.js';

const ASYNC = { respondAsync: flag(true) };
const wait = (seconds: number) => ({ headers: { Prefer: `wait=${seconds}` } });
const setOutput = (value: string): ActivityJson => ({
  type: 'Elsa.SetOutput',
  id: 'Put out',
  outputName: literal('total'),
  outputValue: literal(value, 'Object'),
});
const outputs = { outputs: [{ name: 'total', typeName: 'Object', isArray: false }] };

describe.each(pairsOf([FastifyAdapter, ExpressAdapter], FastifyAdapter))(
  'requests that are not answered by their burst (%p)',
  (Adapter) => {
    let node: HttpNode;
    afterEach(() => node.app.close());
    const boot = async (http: HttpWorkflowsOptions = {}) => {
      node = await startHttpNode(new Adapter(), new MemoryPersistence(), { http, pollIntervalMs: 3_600_000 });
    };
    const goOn = (event: string) => node.get(IEventPublisher).publish(event);
    const publishSlow = (more: object = ASYNC) =>
      node.publish(
        'slow',
        [endpoint('slow', more), waitFor('Wait', 'go'), setOutput('42'), respond('done'), waitFor('Later', 'end')],
        outputs,
      );

    it('requests that are not answered by their burst are answered 200 without content by default, whatever the client prefers', async () => {
      await boot();
      await publishSlow({});
      const answer = await node.call('GET', 'slow', { headers: { Prefer: 'respond-async, wait=10' } });
      expect([answer.status, answer.text, answer.headers.get('location')]).toEqual([200, '', null]);
      await goOn('go');
      const [instance] = (await node.get(WorkflowPersistence).instances.findMany({ definitionIds: ['slow'] })).items;
      expect(instance).toMatchObject({ subStatus: 'Faulted', incidentCount: 1 });
    });

    it('requests that are not answered by their burst are answered 202 with a status URL, which shows the progress and the result', async () => {
      await boot();
      await publishSlow();
      const accepted = await node.call('GET', 'slow', { headers: { Prefer: 'respond-async' } });
      expect(accepted.status).toBe(202);
      expect(accepted.headers.get('preference-applied')).toBe('respond-async');
      const location = accepted.headers.get('location')!;
      const { workflowInstanceId } = accepted.json;
      expect(accepted.json).toEqual({ workflowInstanceId, status: 'Running', location });
      expect(location).toMatch(/^\/workflows\/~requests\/[\w-]+\.[\w-]{43}$/);

      const running = await node.call('GET', location);
      expect([running.status, running.headers.get('cache-control')]).toEqual([200, 'no-store']);
      const times = { createdAt: expect.any(String), updatedAt: expect.any(String) };
      expect(running.json).toEqual({ workflowInstanceId, status: 'Running', subStatus: 'Suspended', ...times });
      expect((await node.call('GET', `${location}/answer`)).status).toBe(202);

      await goOn('go');
      expect((await node.call('GET', location)).json).toMatchObject({
        status: 'Running',
        answer: `${location}/answer`,
      });
      const answer = await node.call('GET', `${location}/answer`);
      // Of a URL that lets in who has it.
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, 'done', 'text/plain']);

      await goOn('end');
      expect((await node.call('GET', location)).json).toEqual({
        ...times,
        workflowInstanceId,
        status: 'Finished',
        subStatus: 'Finished',
        finishedAt: expect.any(String),
        answer: `${location}/answer`,
        output: { total: '42' },
      });
    });

    it('requests that are not answered by their burst show nothing without the complete URL', async () => {
      await boot();
      await publishSlow();
      const location = (await node.call('GET', 'slow')).headers.get('location')!;
      const other = (await node.call('GET', 'slow')).headers.get('location')!;
      const [id] = location.split('.');
      const [, otherSecret] = other.split('.');
      for (const path of [`${id}.${otherSecret}`, `${id}.${'A'.repeat(43)}`, `${id}.${otherSecret}/answer`]) {
        const refused = await node.call('GET', path);
        expect([refused.status, refused.json.code]).toEqual([404, 'WM5040']);
      }
      expect((await node.call('GET', id!)).json.code).toBe('WM5007');
      expect((await node.call('POST', location)).json.code).toBe('WM5007');
      const kept = await node
        .get(WorkflowPersistence)
        .instances.load((await node.call('GET', location)).json.workflowInstanceId);
      expect(JSON.stringify(kept!.state)).not.toContain(location.split('.')[1]);
    });

    it('requests that are not answered by their burst are held for clients that prefer to wait, and get the answer as it was written', async () => {
      await boot();
      await publishSlow();
      const held = node.call('GET', 'slow', wait(20));
      await node.holdsRequest();
      await goOn('go');
      const answer = await held;
      expect([answer.status, answer.text, answer.headers.get('preference-applied')]).toEqual([200, 'done', 'wait=20']);
      await node.holdsRequest(false);
    });

    it('requests that are not answered by their burst are held no longer than the client or the host wants', async () => {
      await boot({ maxWaitMs: 5000 });
      await publishSlow();
      for (const [asked, applied] of [
        [2, 2],
        [3600, 5],
      ] as const) {
        const held = node.call('GET', 'slow', wait(asked));
        await node.holdsRequest();
        await node.clock.advance(applied * 1000 - 1);
        await node.holdsRequest();
        await node.clock.advance(1);
        const { status, headers } = await held;
        expect([status, headers.get('preference-applied')]).toEqual([202, `wait=${applied}`]);
        await node.holdsRequest(false);
      }
    });

    it('requests that are not answered by their burst are not held beyond the number that the host holds, nor when the client has left or the server closes', async () => {
      await boot({ maxWaiting: 1 });
      await publishSlow();
      const leaving = new AbortController();
      const left = node.call('GET', 'slow', { ...wait(20), signal: leaving.signal });
      await node.holdsRequest();
      expect((await node.call('GET', 'slow', wait(20))).status).toBe(202);
      leaving.abort();
      await expect(left).rejects.toThrow();
      await node.holdsRequest(false);
      const last = node.call('GET', 'slow', wait(20));
      await node.holdsRequest();
      const closed = node.app.close();
      expect((await last).status).toBe(202);
      await closed;
    });

    it('requests that are not answered by their burst wait for the status as well', async () => {
      await boot();
      await publishSlow();
      const location = (await node.call('GET', 'slow')).headers.get('location')!;
      const held = node.call('GET', `${location}/answer`, wait(20));
      await node.holdsRequest();
      await goOn('go');
      expect((await held).text).toBe('done');
    });

    it('requests that are not answered by their burst report how the workflow ended without an answer', async () => {
      await boot();
      await node.publish('ends', [endpoint('ends', ASYNC), waitFor('Wait', 'go')]);
      await node.publish('fails', [
        endpoint('fails', ASYNC),
        waitFor('Wait', 'go'),
        { type: 'Elsa.Fault', id: 'F', message: literal('no') },
      ]);
      await node.publish('stopped', [endpoint('stopped', ASYNC), waitFor('Wait', 'never')]);
      const ends = (await node.call('GET', 'ends')).headers.get('location')!;
      const fails = (await node.call('GET', 'fails')).headers.get('location')!;
      const stopped = await node.call('GET', 'stopped');
      await goOn('go');
      await (await node.get(IWorkflowRuntime).createClient(stopped.json.workflowInstanceId)).cancel();
      const at = (location: string) => node.call('GET', `${location}/answer`);
      expect(await at(ends)).toMatchObject({ status: 200, text: '' });
      expect(await at(fails)).toMatchObject({ status: 500, text: '' });
      const cancelled = await at(stopped.json.location);
      expect([cancelled.status, cancelled.json.code]).toEqual([409, 'WM5042']);
      expect((await node.call('GET', fails)).json).toMatchObject({ subStatus: 'Faulted', output: {} });
    });

    it('requests that are not answered by their burst leave no trace when their burst answers them', async () => {
      await boot({ respondAsync: true });
      await node.publish('quick', [endpoint('quick'), respond('at once'), waitFor('Wait', 'go'), respond('too late')]);
      expect(await node.call('GET', 'quick', wait(20))).toMatchObject({ status: 200, text: 'at once' });
      const { instances } = node.get(WorkflowPersistence);
      const [id] = await instances.findIds({ definitionIds: ['quick'] });
      expect((await instances.load(id!))!.state.properties).toEqual({});
      await goOn('go');
      expect(await instances.load(id!)).toMatchObject({ subStatus: 'Faulted' });
    });

    it('requests that are not answered by their burst get an answer that was written in parts, and none that is too large or holds a secret', async () => {
      await boot({ respondAsync: true, maxKeptAnswerBytes: 10 });
      await node.publish('parts', [endpoint('parts'), waitFor('Wait', 'go'), respond('one '), respond('two')]);
      await node.publish('large', [endpoint('large'), waitFor('Wait', 'go'), respond('12345678901')]);
      const parts = (await node.call('GET', 'parts')).json.location;
      const large = (await node.call('GET', 'large')).json;
      await goOn('go');
      expect(await node.call('GET', `${parts}/answer`)).toMatchObject({ status: 200, text: 'one two' });
      expect((await node.call('GET', `${large.location}/answer`)).status).toBe(500);
      const { state } = (await node.get(WorkflowPersistence).instances.load(large.workflowInstanceId))!;
      expect(state.incidents[0]).toMatchObject({ exception: { type: 'AnswerNotKeptError' } });
    });

    it('requests that are not answered by their burst keep ten requests of an instance that is requested repeatedly', async () => {
      await boot({ respondAsync: true });
      const again: ActivityJson = { ...endpoint('again', {}, false), id: 'Again' };
      await node.publish('loop', [
        endpoint('loop'),
        { type: 'Elsa.While', id: 'W', condition: literal(true, 'Boolean'), body: again },
      ]);
      const first = (await node.call('GET', 'loop')).json;
      let last = first;
      for (let n = 0; n < 10; n++) last = (await node.call('GET', 'again')).json;
      expect(last.workflowInstanceId).toBe(first.workflowInstanceId);
      expect((await node.call('GET', first.location)).status).toBe(404);
      expect((await node.call('GET', last.location)).status).toBe(200);
    });
  },
);

describeOn(await testBackends(), 'requests that another node answers, on $name', ({ create, drop }) => {
  let here: HttpNode;
  let there: HttpNode;
  beforeEach(async () => {
    here = await startHttpNode(new FastifyAdapter(), await create());
    there = await startHttpNode(new ExpressAdapter(), await create());
  });
  afterEach(async () => {
    await here.app.close();
    await there.app.close();
  });
  afterAll(() => drop());

  it('requests that another node answers are answered by the node that holds them, and later by either node', async () => {
    await here.publish('far', [endpoint('far', ASYNC), waitFor('Wait', 'go'), respond('from afar')]);
    const held = here.call('GET', 'far', wait(20));
    await here.holdsRequest();
    await there.get(IEventPublisher).publish('go');
    await here.clock.advance(1000);
    expect(await held).toMatchObject({ status: 200, text: 'from afar' });

    const { location } = (await here.call('GET', 'far')).json;
    await here.get(IEventPublisher).publish('go');
    expect(await there.call('GET', `${location}/answer`)).toMatchObject({ status: 200, text: 'from afar' });
  });
});
