import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { ActivityJson } from '@waymark/core';
import { WorkflowModule } from '@waymark/nestjs';
import { IWorkflowDefinitionPublisher, WorkflowPersistence } from '@waymark/runtime';
import { VirtualClock } from '@waymark/testing';
import { EVERY_STORE, testBackends } from '../support/backends.js';
import { describeOn } from '../support/describe-on.js';
import { literal, sequence } from '../support/runtime-node.js';

const endpoint = (id: string, path: string, canStartWorkflow: boolean): ActivityJson => ({
  type: 'Elsa.HttpEndpoint',
  id,
  path: literal(path),
  customProperties: { canStartWorkflow },
});
const respond = (id: string, content: string): ActivityJson => ({
  type: 'Elsa.WriteHttpResponse',
  id,
  content: literal(content, 'Object'),
});

/** A node that serves HTTP, with the poll interval it has by default. */
async function startNode(persistence: WorkflowPersistence) {
  const clock = new VirtualClock();
  const app = await NestFactory.create<NestFastifyApplication>(
    WorkflowModule.forRoot({ persistence, clock, writeLine: () => undefined }),
    new FastifyAdapter(),
    { logger: ['error'] },
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    app,
    clock,
    async get(path: string) {
      const response = await fetch(`${url}/workflows/${path}`);
      return `${response.status} ${await response.text()}`;
    },
    async publish(definitionId: string, ...activities: ActivityJson[]) {
      const root = sequence('Root', ...activities);
      const { problems } = await app.get(IWorkflowDefinitionPublisher).saveAndPublish({ definitionId, root });
      if (problems.length) throw new Error(problems.map((p) => p.message).join('; '));
    },
  };
}

describeOn(await testBackends(...EVERY_STORE), 'W6: two nodes on $name', ({ create, drop }) => {
  let here: Awaited<ReturnType<typeof startNode>>;
  let there: Awaited<ReturnType<typeof startNode>>;
  let run = 0;
  let at: string;

  beforeEach(async () => {
    at = `at-${++run}`;
    here = await startNode(await create());
    there = await startNode(await create());
  });
  afterEach(async () => {
    await here.app.close();
    await there.app.close();
  });
  afterAll(() => drop());

  it('two nodes serve what the other one has published, and no longer what it has retracted, within a second', async () => {
    await there.publish(at, endpoint('In', `${at}/{id}`, true), respond('Out', 'started'));
    expect(await there.get(`${at}/1`)).toBe('200 started');
    await here.clock.advance(1000);
    expect(await here.get(`${at}/1`)).toBe('200 started');
    await there.app.get(IWorkflowDefinitionPublisher).retract(at);
    await here.clock.advance(1000);
    expect(await here.get(`${at}/1`)).toMatch(/^404 .*WM5007/);
  });

  it('two nodes resume an instance that the other one has left waiting at a path with parameters, within a second', async () => {
    await there.publish(
      at,
      endpoint('In', `${at}/start`, true),
      respond('Started', 'waiting'),
      endpoint('Wait', `${at}/{id}/payment`, false),
      respond('Out', 'paid'),
    );
    expect(await there.get(`${at}/start`)).toBe('200 waiting');
    expect(await here.get(`${at}/7/payment`)).toMatch(/^404 /);
    await here.clock.advance(1000);
    expect(await here.get(`${at}/7/payment`)).toBe('200 paid');
    // Its route is known there, but nobody waits at it any more.
    expect(await there.get(`${at}/7/payment`)).toMatch(/^404 .*WM5007/);
  });

  it('two nodes know the paths of the other one from the start', async () => {
    await there.publish(at, endpoint('In', `${at}/start`, true), endpoint('Wait', `${at}/{id}`, false));
    await there.get(`${at}/start`);
    const third = await startNode(await create());
    expect(await third.get(`${at}/9`)).toMatch(/^200/);
    await third.app.close();
  });

  it('two nodes resume an instance that waited at a literal path before a template was published, also when they start anew', async () => {
    await there.publish(
      at,
      endpoint('In', `${at}/begin/now`, true),
      respond('Started', 'waiting'),
      endpoint('Wait', `${at}/1/approve`, false),
      respond('Out', 'approved'),
    );
    const wait = async () => expect(await there.get(`${at}/begin/now`)).toBe('200 waiting');
    await wait();
    await here.publish(`${at}-template`, endpoint('In', `${at}/{id}/{action}`, true), respond('Out', 'started'));
    await there.clock.advance(1000);
    for (const node of [here, there]) {
      expect(await node.get(`${at}/1/approve`)).toBe('200 approved');
      expect(await node.get(`${at}/1/approve`)).toBe('200 started');
      await wait();
      await here.clock.advance(1000);
    }
    const third = await startNode(await create());
    expect(await third.get(`${at}/1/approve`)).toBe('200 approved');
    await third.app.close();
  });

  it('two nodes announce a path once, however many instances wait there', async () => {
    await there.publish(at, endpoint('In', `${at}/start`, true), endpoint('Wait', `${at}/{id}`, false));
    await there.get(`${at}/start`);
    const { patterns } = there.app.get(WorkflowPersistence);
    const before = await patterns.state();
    const announced = await patterns.findAll();
    await there.clock.setTime(there.clock.now() + 3_600_000);
    await there.get(`${at}/start`);
    expect(await patterns.state()).toEqual(before);
    expect(await patterns.findAll()).toEqual(announced);
  });
});
